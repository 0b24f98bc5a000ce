import type { AppContext } from '../../../context.ts';
import * as retention from '../../../query/retention/model.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { at } from '../../../shared/assert.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { type Beginning, forecastFor, neverSentHint } from '../../events/index.ts';
import { nameGroups, toDimensions } from '../resolve/breakdown.ts';
import { resolve } from '../resolve/resolve.ts';
import { ask, inApp, type Resolved } from '../resolve/resolved.ts';
import type { Selection } from '../resolve/selection.model.ts';
import { resolveWindow, toBuckets, toMicros } from '../resolve/window.ts';
import type { RetentionQuestionAnswer, RetentionReport } from './answer.model.ts';
import { cohortFigures } from './present.ts';
import type { RetentionInterval, RetentionQuestion, RetentionQuery } from './question.ts';

export const toRetention = ({
  startName,
  returnName,
  ...query
}: RetentionQuery): RetentionQuestion => ({
  ...{ ...query, kind: 'retention' },
  ...(startName !== undefined && { start: { events: [startName] } }),
  ...(returnName !== undefined && { return: { events: [returnName] } }),
});

export async function readRetention(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  query: RetentionQuery,
): Promise<RetentionReport> {
  const resolved = await resolve(ctx, toRetention(query));
  const { kind: _, breakdown: _of, ...report } = await answerRetention(ctx, resolved);
  const { startName, returnName } = query;
  const cells = report.cohorts.flatMap(({ periods }) => periods);
  const nobodyReturned = cells.every((cell) => cell === null || !cell.returned);
  const notFound = [
    ...(startName !== undefined && report.people === 0 ? [{ event: startName }] : []),
    ...(returnName !== undefined && nobodyReturned ? [{ event: returnName }] : []),
  ];
  return { ...report, ...(await neverSentHint(ctx, notFound, report.environment)) };
}

const DEFAULT_DAYS: Readonly<Record<RetentionInterval, number>> = { day: 14, week: 56, month: 182 };

type Chosen = Pick<
  RetentionQuestionAnswer,
  'interval' | 'cohort' | 'criterion' | 'clock' | 'environment' | 'timezone'
>;

export type PlannedRetention = {
  chosen: Chosen;
  boundariesMs: readonly number[];
  nowMs: number;
  question: retention.RetentionRules;
  beginning: Beginning & { nowMs: number };
};

function toPeriodUs({ interval, clock }: Chosen): number | null {
  if (clock === 'calendar') return null;
  if (interval === 'month') throw invalidInput('clock', 'hours need interval=day or interval=week');
  return (interval === 'day' ? DAY_MS : 7 * DAY_MS) * 1_000;
}

/** As projections and the catalogue count. */
const isByName = ({ events, where }: Selection): boolean =>
  !where && (events === undefined || events.length === 1);

export function planRetention(
  ctx: AppContext<never>,
  resolved: Resolved<RetentionQuestion>,
): PlannedRetention {
  const { question, timezone, environment, now } = resolved;
  const { interval = 'week', cohort = 'first', criterion = 'on', clock = 'calendar' } = question;
  const { start = {}, return: comingBack = {} } = question;
  const chosen = { interval, cohort, criterion, clock, environment, timezone };
  const periodUs = toPeriodUs(chosen);
  const window = resolveWindow(question, DEFAULT_DAYS[interval], timezone, now);
  const cohorts = toBuckets(window, interval).count;
  const { nowMs } = window;
  const { boundariesMs } = toBuckets({ ...window, toMs: nowMs + 1 }, interval);
  if (boundariesMs.length - 1 > retention.MAX_RETENTION_BUCKETS) {
    const most = `must be at most ${retention.MAX_RETENTION_BUCKETS} intervals ago`;
    throw invalidInput(question.from === undefined ? 'days' : 'from', most);
  }
  const [fromMs, toMs] = [at(boundariesMs, 0), at(boundariesMs, cohorts)];
  const isOfNames = isByName(start) && isByName(comingBack);
  return {
    ...{ chosen, boundariesMs, nowMs },
    question: {
      ...inApp(ctx, resolved, [start, comingBack]),
      ...{ boundariesUs: toMicros(boundariesMs), cohorts, cohort, criterion, periodUs },
      ...{ start, return: comingBack },
    },
    beginning: { selection: isOfNames ? start : {}, environment, fromMs, toMs, nowMs },
  };
}

export async function answerRetention(
  ctx: AppContext<'queries'>,
  resolved: Resolved<RetentionQuestion>,
): Promise<RetentionQuestionAnswer> {
  const planned = planRetention(ctx, resolved);
  const { boundariesMs, question, nowMs, chosen } = planned;
  const longest = Math.min(retention.MAX_PERIODS, Math.max(1, boundariesMs.length - 2));
  const periods = Math.min(resolved.question.periods ?? longest, longest);
  const [by] = toDimensions(resolved);
  const asked = { ...question, periods, ...(by && { breakdown: by.by }) };
  const answer = await ask(ctx, 'retention', asked);
  const forecast = await forecastFor(ctx, { ...planned.beginning, people: answer.people });
  const iso = (boundary: number) => new Date(at(boundariesMs, boundary)).toISOString();
  const figuresOf = (counted: retention.Cohorts) => ({
    people: counted.people,
    verdict: judge(counted.people),
    ...cohortFigures(planned, counted, periods),
  });
  const { groups, brokenDown } = answer;
  const named = groups?.map(({ value, ...counted }) => ({ value, ...figuresOf(counted) }));
  return {
    kind: 'retention',
    window: { from: iso(0), to: iso(question.cohorts) },
    ...{ ...chosen, minimumPeople: MINIMUM_PEOPLE, ...figuresOf(answer) },
    computedAt: new Date(nowMs).toISOString(),
    ...provenanceOf(answer),
    ...(forecast && { forecast }),
    ...(named && { breakdown: nameGroups(named, by) }),
    ...(brokenDown?.bounds && { bounds: brokenDown.bounds }),
  };
}
