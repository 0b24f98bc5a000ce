import type { AppContext } from '../../context.ts';
import type { PageOfPeople, PeopleAnswer } from '../../query/selection/people-page.ts';
import { at } from '../../shared/assert.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { cursorAfter, decodeCursor } from '../../shared/person-cursor.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { type Beginning, forecastFor } from '../events/index.ts';
import type { answerQuestion } from './answer.ts';
import { checkQuestion } from './conditions.ts';
import { askFunnelPeople } from './funnel/people.ts';
import { planFunnel } from './funnel/plan.ts';
import type { FunnelQuestion } from './funnel/question.ts';
import { planLifecycle } from './lifecycle/answer.ts';
import type { LifecycleQuestion } from './lifecycle/question.ts';
import type { MeasuresQuestion } from './measures/question.ts';
import type { Question } from './model.ts';
import { resolvePeople } from './people-conditions.ts';
import type { FigureOfAnswer, PeopleOfQuestion, QuestionPeopleBody } from './people.model.ts';
import { DEFAULT_PAGE, type PageParameters } from './resolve/parameters.model.ts';
import { resolve } from './resolve/resolve.ts';
import { ask, ofSelection, type Resolved } from './resolve/resolved.ts';
import { resolveBuckets, toMicros } from './resolve/window.ts';
import { planRetention } from './retention/answer.ts';
import type { RetentionQuestion } from './retention/question.ts';
import type { SeriesQuestion } from './series/question.ts';

type Ctx = AppContext<'queries' | 'sql'>;
type FigureAs<K extends FigureOfAnswer['of']> = Extract<FigureOfAnswer, { of: K }>;
type Listed = Omit<PeopleAnswer, 'dataThroughMs'> & {
  beginning: Beginning & { nowMs: number };
};

function figureAs<K extends FigureOfAnswer['of']>(figure: FigureOfAnswer, of: K): FigureAs<K> {
  const isOf = (one: FigureOfAnswer): one is FigureAs<K> => one.of === of;
  if (!isOf(figure)) throw invalidInput('figure.of', `must be ${of}, as the question is`);
  return figure;
}

/** A point of series or measures: who did what it counts. */
async function ofPoint(
  ctx: Ctx,
  resolved: Resolved<MeasuresQuestion | SeriesQuestion>,
  { series: number = 1, point }: FigureAs<'point'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { question, environment, now } = resolved;
  const all = question.kind === 'series' ? question.series : [question.selection ?? {}];
  const selection = all[number - 1];
  if (!selection) throw invalidInput('figure.series', `must be one of the ${all.length} series`);
  const { boundariesMs } = resolveBuckets(resolved);
  const bucket = boundariesMs.slice(0, -1).indexOf(Date.parse(point));
  if (bucket === -1) throw invalidInput('point', 'must be the from of a point of the series');
  const answer = await ask(ctx, 'series-people', {
    ...{ ...ofSelection(ctx, resolved, selection), ...page, bucket },
    boundariesUs: toMicros(boundariesMs),
  });
  const [fromMs, toMs] = [at(boundariesMs, 0), at(boundariesMs, boundariesMs.length - 1)];
  const beginning = { selection, environment, fromMs, toMs, nowMs: now.getTime() };
  return { ...answer, beginning };
}

async function ofStep(
  ctx: Ctx,
  resolved: Resolved<FunnelQuestion>,
  { step, dropped = false }: FigureAs<'step'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { question, environment, now } = resolved;
  const { length } = question.steps;
  if (step > length) throw invalidInput('figure.step', `must be one of the ${length} steps`);
  const planned = await planFunnel(ctx, resolved);
  const { fromMs, toMs } = planned.window;
  const figure = { step, dropped, ...page };
  const { entered, people, hasMore } = await askFunnelPeople(ctx, planned, figure);
  return {
    ...{ total: entered, people: people.map(({ personId }) => personId), hasMore },
    beginning: {
      ...{ selection: at(question.steps, 0), environment, fromMs, toMs, nowMs: now.getTime() },
    },
  };
}

async function ofCohort(
  ctx: Ctx,
  resolved: Resolved<RetentionQuestion>,
  { cohortIndex, period = 0 }: FigureAs<'cohort'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { question, beginning } = planRetention(ctx, resolved);
  const { cohorts } = question;
  if (cohortIndex >= cohorts) {
    throw invalidInput('cohortIndex', `must be one of the ${cohorts} cohorts`);
  }
  const asked = { ...question, cohortIndex, period, ...page };
  return { ...(await ask(ctx, 'retention-people', asked)), beginning };
}

async function ofState(
  ctx: Ctx,
  resolved: Resolved<LifecycleQuestion>,
  { point, state }: FigureAs<'state'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { question, buckets, beginning } = planLifecycle(ctx, resolved);
  const { first, finished, count, boundariesMs } = buckets;
  const place = boundariesMs.slice(first, first + count).indexOf(Date.parse(point));
  if (place === -1) throw invalidInput('point', 'must be the from of a point of the lifecycle');
  if (state === 'dormant' && place >= finished) {
    throw invalidInput('state', 'is not known of an interval that is not over');
  }
  const asked = { ...question, interval: first + place, state, ...page };
  return { ...(await ask(ctx, 'lifecycle-people', asked)), beginning };
}

function ofFigure(
  ctx: Ctx,
  resolved: Resolved<Question>,
  figure: FigureOfAnswer,
  page: PageOfPeople,
): Promise<Listed> {
  const { question } = resolved;
  switch (question.kind) {
    case 'series':
    case 'measures':
      return ofPoint(ctx, { ...resolved, question }, figureAs(figure, 'point'), page);
    case 'funnel':
      return ofStep(ctx, { ...resolved, question }, figureAs(figure, 'step'), page);
    case 'retention':
      return ofCohort(ctx, { ...resolved, question }, figureAs(figure, 'cohort'), page);
    case 'lifecycle':
      return ofState(ctx, { ...resolved, question }, figureAs(figure, 'state'), page);
    case 'paths':
      throw invalidInput('question.kind', 'has no figures that people are listed of');
  }
}

const toPage = ({ cursor, limit = DEFAULT_PAGE }: PageParameters): PageOfPeople => ({
  after: decodeCursor(cursor),
  limit,
});

const shown = ({ people, hasMore }: Listed): PeopleOfQuestion => ({
  people: people.map((personId) => ({ personId })),
  nextCursor: cursorAfter(people.at(-1), hasMore),
});

const NEEDED = `At least ${MINIMUM_PEOPLE} people in the whole window are needed.`;

export async function listQuestionPeople(
  ctx: Parameters<typeof answerQuestion>[0],
  { question: asked, figure, ...paged }: QuestionPeopleBody,
): Promise<PeopleOfQuestion> {
  const page = toPage(paged);
  checkQuestion(asked, 'question.');
  const { question, memberships } = await resolvePeople(ctx, asked);
  const listed = await ofFigure(ctx, await resolve(ctx, question, memberships), figure, page);
  if (listed.total >= MINIMUM_PEOPLE) return shown(listed);
  const told = 'Too few people are in this answer to list them.';
  throw new AppError('conflict', told, { hint: NEEDED });
}

/** With the day on which there will be enough. */
export async function listReportPeople(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  { question, figure }: Pick<QuestionPeopleBody, 'figure' | 'question'>,
  query: PageParameters,
): Promise<PeopleOfQuestion> {
  const page = toPage(query);
  const listed = await ofFigure(ctx, await resolve(ctx, question), figure, page);
  const forecast = await forecastFor(ctx, { ...listed.beginning, people: listed.total });
  if (!forecast) return shown(listed);
  const told = 'Too few people are in this report to list them.';
  throw new AppError('conflict', told, { hint: `${NEEDED} ${forecast.text}` });
}
