import type { PageOfPeople } from '../../query/selection/people-page.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { cursorAfter, decodeCursor } from '../../shared/person-cursor.ts';
import {
  checkCohort,
  DEFAULT_PAGE,
  findPoint,
  prepareLifecycle,
  prepareRetention,
  stateAt,
} from '../explore/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import type { answerFunnel } from './funnel.ts';
import { preparedFunnel } from './funnel.ts';
import { withSegments } from './members.ts';
import type { Question } from './model.ts';
import type { FigureOfAnswer, PeopleOfQuestion, QuestionPeopleBody } from './people.model.ts';
import { checkSelection, selectedEvents } from './selections.ts';
import type { answerQuestion } from './answer.ts';
import { withoutTraits } from './traits.ts';

type Asking = Parameters<typeof answerQuestion>[0];
type Ctx = Parameters<typeof answerFunnel>[0];
type FigureAs<K extends FigureOfAnswer['of']> = Extract<FigureOfAnswer, { of: K }>;
type Listed = { total: number; people: string[]; hasMore: boolean };

function figureAs<K extends FigureOfAnswer['of']>(figure: FigureOfAnswer, of: K): FigureAs<K> {
  const isOf = (one: FigureOfAnswer): one is FigureAs<K> => one.of === of;
  if (!isOf(figure)) throw invalidInput('figure.of', `must be ${of}, as the question is`);
  return figure;
}

/** A point of series or measures: who did what it counts. */
async function ofPoint(
  ctx: Ctx,
  question: Extract<Question, { kind: 'measures' | 'series' }>,
  figure: FigureAs<'point'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { deps, orgId, app, signal } = ctx;
  const { series: number = 1, point } = figure;
  const all = question.kind === 'series' ? question.series : [question.selection ?? {}];
  const selection = all[number - 1];
  if (!selection) throw invalidInput('figure.series', `must be one of the ${all.length} series`);
  const place =
    question.kind === 'series' ? `question.series[${number - 1}]` : 'question.selection';
  const { boundariesMs, bucket } = await findPoint(ctx, { ...question, point });
  const { environment = DEFAULT_SCOPE } = question;
  const boundariesUs = boundariesMs.map((ms) => ms * 1_000);
  return deps.queries.ask(
    'series-people',
    {
      ...{ orgId, appId: app.id, environment, boundariesUs, bucket },
      ...{ ...selectedEvents(selection, place), ...page },
    },
    { signal },
  );
}

async function ofStep(
  ctx: Ctx,
  question: Extract<Question, { kind: 'funnel' }>,
  { step, dropped = false }: FigureAs<'step'>,
  page: PageOfPeople,
): Promise<Listed> {
  if (step > question.steps.length) {
    throw invalidInput('figure.step', `must be one of the ${question.steps.length} steps`);
  }
  const { rules } = await preparedFunnel(ctx, question);
  const asked = { ...rules, step, dropped, ...page };
  const { entered, people, hasMore } = await ctx.deps.queries.ask('funnel-people', asked, {
    signal: ctx.signal,
  });
  return { total: entered, people: people.map(({ personId }) => personId), hasMore };
}

async function ofCohort(
  ctx: Ctx,
  question: Extract<Question, { kind: 'retention' }>,
  { cohortIndex, period = 0 }: FigureAs<'cohort'>,
  page: PageOfPeople,
): Promise<Listed> {
  const { start = {}, return: comingBack = {} } = question;
  checkSelection(start, 'question.start');
  checkSelection(comingBack, 'question.return');
  const prepared = await prepareRetention(ctx, { ...question, start, return: comingBack });
  checkCohort(prepared, cohortIndex);
  const asked = { ...prepared.question, cohortIndex, period, ...page };
  return ctx.deps.queries.ask('retention-people', asked, { signal: ctx.signal });
}

async function ofState(
  ctx: Ctx,
  { selection = {}, breakdown: _, ...asked }: Extract<Question, { kind: 'lifecycle' }>,
  figure: FigureAs<'state'>,
  page: PageOfPeople,
): Promise<Listed> {
  const events = selectedEvents(selection, 'question.selection');
  const prepared = await prepareLifecycle(ctx, { ...asked, events });
  const question = { ...prepared.question, ...stateAt(prepared, figure), ...page };
  return ctx.deps.queries.ask('lifecycle-people', question, { signal: ctx.signal });
}

function ofFigure(
  ctx: Ctx,
  question: Question,
  figure: FigureOfAnswer,
  page: PageOfPeople,
): Promise<Listed> {
  switch (question.kind) {
    case 'series':
    case 'measures':
      return ofPoint(ctx, question, figureAs(figure, 'point'), page);
    case 'funnel':
      return ofStep(ctx, question, figureAs(figure, 'step'), page);
    case 'retention':
      return ofCohort(ctx, question, figureAs(figure, 'cohort'), page);
    case 'lifecycle':
      return ofState(ctx, question, figureAs(figure, 'state'), page);
    case 'paths':
      throw invalidInput('question.kind', 'has no figures that people are listed of');
  }
}

export async function listQuestionPeople(
  asking: Asking,
  { question: asked, figure, cursor, limit = DEFAULT_PAGE }: QuestionPeopleBody,
): Promise<PeopleOfQuestion> {
  const page = { after: decodeCursor(cursor), limit };
  const { question, memberships } = await withoutTraits(asking, asked);
  const ctx = await withSegments(asking, question, memberships);
  const { total, people, hasMore } = await ofFigure(ctx, question, figure, page);
  if (total < MINIMUM_PEOPLE) {
    throw new AppError('conflict', 'Too few people are in this answer to list them.', {
      hint: `At least ${MINIMUM_PEOPLE} people in the whole window are needed.`,
    });
  }
  return {
    people: people.map((personId) => ({ personId })),
    nextCursor: cursorAfter(people.at(-1), hasMore),
  };
}
