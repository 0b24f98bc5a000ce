import type { DuckDBConnection } from '@duckdb/node-api';
import type { FunnelQuestion } from '../../src/query/funnel/model.ts';
import type { QueryKind, QuestionOf } from '../../src/query/kinds.ts';
import type { Measured, MeasuresAnswer, MeasuresQuestion } from '../../src/query/measures/model.ts';
import type { EventSource } from '../../src/query/reading/source/events.ts';
import type { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import type { Membership } from '../../src/query/selection/segment-rules.ts';
import type { Selected } from '../../src/query/selection/selected.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { plainSeries } from './asked-reference.ts';
import { numberIn, plainBrokenDown, rememberFirsts, shownOf } from './breakdown-reference.ts';
import { APP, countOver, ORG } from './event-source.ts';
import { lifecycleOf } from './lifecycle-reference.ts';
import { pathStepsOf, shownSteps } from './path-steps.ts';
import {
  happened,
  isAsked,
  plainBrokenRetention,
  plainFunnelAnswer,
  plainMeasures,
} from './question-reference.ts';
import { type Axis, type Drawn, type DrawnAs, microseconds } from './random-questions.ts';
import { pathsOf } from './session-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

const OF_APP = { orgId: ORG, appId: APP };

type Range = [number, number];
type Reading = {
  connection: DuckDBConnection;
  source: EventSource;
  size: number;
  memberships: readonly Membership[];
  threads?: CountingThreads | null;
};

const boundariesOf = ({ seconds }: Axis) => seconds.map(microseconds);

function rangesOf({ seconds }: Axis): Range[] {
  const count = seconds.length - 1;
  const singles = Array.from({ length: Math.min(count, 6) }, (_, n): Range => [n, n + 1]);
  return [[0, count], [count >> 1, count], [0, 0], ...singles];
}

function windowOf(axis: Axis, { from, length }: { from: number; length: number }) {
  const boundaries = boundariesOf(axis);
  const first = from % (boundaries.length - 1);
  const last = Math.min(boundaries.length - 1, first + length);
  return { fromUs: boundaries[first] ?? 0, beforeUs: boundaries[last] ?? 0 };
}

const eventsOf = ({
  events: { names, filters, where },
}: DrawnAs<'lifecycle' | 'measures' | 'paths' | 'series'>) => ({
  ...{ names, filters },
  ...(where && { where }),
});

/** As figures are told apart by segments: of one, those in it and the others. */
function selectionsOf({ asked }: DrawnAs<'series'>): Selected[] | null {
  if ('selections' in asked) return asked.selections;
  if (!('segments' in asked)) return null;
  const [one = '', ...more] = asked.segments;
  const of = (segment: string, is: boolean) => ({ where: { all: [{ segment, is }] } });
  return more.length === 0
    ? [of(one, true), of(one, false), {}]
    : [...asked.segments.map((segment) => of(segment, true)), {}];
}

function seriesOf(drawn: DrawnAs<'series'>, axis: Axis): SeriesQuestion {
  const { asked, place } = drawn;
  const selections = selectionsOf(drawn);
  const [breakdown = null, crossed] = 'dimensions' in asked ? asked.dimensions : [];
  return {
    ...{ ...OF_APP, ...eventsOf(drawn), boundariesUs: boundariesOf(axis), ranges: rangesOf(axis) },
    ...{ breakdown, valuesFrom: place % (axis.seconds.length - 1) },
    ...(crossed && { crossed }),
    ...(selections && { names: null, selections }),
  };
}

function wantedSeries(drawn: DrawnAs<'series'>, axis: Axis, plain: readonly PlainEvent[]) {
  const { asked } = drawn;
  const question = seriesOf(drawn, axis);
  const meant = plain.filter(({ row }) => isAsked(row, question));
  if ('dimensions' in asked) return plainBrokenDown(question, asked.dimensions, meant);
  const { names } = question;
  const selections = selectionsOf(drawn) ?? names?.map((name) => ({ events: [name] })) ?? [];
  const { total, series } = plainSeries(question, selections.length > 0 ? selections : [{}], meant);
  return { total, series: selections.length > 0 ? series : [] };
}

function funnelOf(drawn: DrawnAs<'funnel'>, axis: Axis): FunnelQuestion {
  const { steps, filters, where, places, windowSeconds, breakdown, excluded, order } = drawn;
  const { fromUs, beforeUs } = windowOf(axis, places);
  const from = Math.min(excluded?.from ?? 0, steps.length - 2);
  const to = Math.min(steps.length - 1, from + 1 + (excluded?.length ?? 0));
  return {
    ...{ ...OF_APP, steps, filters, breakdown, fromUs, startBeforeUs: beforeUs },
    ...(where && { where }),
    windowUs: microseconds(windowSeconds),
    trendFromUs: [fromUs, Math.floor((fromUs + beforeUs) / 2)],
    ...(order === 'any' && { isAnyOrder: true }),
    ...(excluded && order !== 'any' && { exclusions: [{ events: excluded.events, from, to }] }),
    ...(order === 'strict' && { isStrict: true }),
    ...(drawn.firstStartOnly && { firstStartOnly: true }),
    ...(drawn.newPeopleOnly && { newPeopleOnly: true }),
    isDistributed: true,
  };
}

function wantedFunnel(
  drawn: DrawnAs<'funnel'>,
  axis: Axis,
  plain: readonly PlainEvent[],
  dataThroughMs: number,
) {
  const { steps: _, exclusions = [], ...asked } = funnelOf(drawn, axis);
  const { steps, firstStartOnly, newPeopleOnly, order, breakdown } = drawn;
  const strict = order === 'strict' ? [{ events: {}, from: 0, to: steps.length - 1 }] : [];
  return plainFunnelAnswer(
    {
      ...{
        ...asked,
        steps,
        firstStartOnly,
        newPeopleOnly,
        dataThroughMs,
        breakdown,
        isAnyOrder: order === 'any',
      },
      ...{ exclusions: [...exclusions, ...strict], trendFromUs: asked.trendFromUs ?? [] },
    },
    plain,
  );
}

const MAX_RETENTION_BUCKETS = 20;

function retentionOf(drawn: DrawnAs<'retention'>, axis: Axis): RetentionQuestion {
  const { start, isSame, comingBack, cohort, criterion, periodSeconds, periods } = drawn;
  const { breakdown } = drawn;
  const boundariesUs = boundariesOf(axis).slice(0, MAX_RETENTION_BUCKETS + 1);
  return {
    ...{ ...OF_APP, boundariesUs, cohort, criterion, periods },
    ...{ start, return: isSame ? start : comingBack },
    cohorts: Math.min(drawn.cohorts, boundariesUs.length - 1),
    periodUs: periodSeconds === null ? null : microseconds(periodSeconds),
    ...(breakdown && { breakdown }),
  };
}

/** Of the largest number and of all of them together: decimals are added in no certain order. */
export function sizeOf(drawn: Drawn, plain: readonly PlainEvent[]): number {
  if (drawn.kind !== 'measures' || !('property' in drawn.measure)) return 0;
  const { property } = drawn.measure;
  return plain.reduce((sum, { row }) => sum + Math.abs(numberIn(row, property) ?? 0), 0);
}

function roundedBy(size: number): (one: Measured) => Measured {
  const unit = 10 ** Math.ceil(Math.log10(Math.max(size, 1e-300)) - 9);
  return ({ value, ...counts }) => ({
    ...counts,
    value: value === null || size === 0 ? value : Math.round(value / unit),
  });
}

function measuresOf(drawn: DrawnAs<'measures'>, axis: Axis): MeasuresQuestion {
  const { measure, breakdown, place } = drawn;
  const asked = { ...eventsOf(drawn), boundariesUs: boundariesOf(axis), ranges: rangesOf(axis) };
  const valuesFrom = place % (axis.seconds.length - 1);
  return { ...OF_APP, ...asked, measure, ...(breakdown && { breakdown, valuesFrom }) };
}

type MeasuredAnswer = Pick<MeasuresAnswer, 'brokenDown' | 'measured' | 'series'>;

const roundedAnswer = ({ measured, series, brokenDown }: MeasuredAnswer, size: number) => ({
  measured: measured.map(roundedBy(size)),
  series: series?.map((one) => ({ ...one, measured: one.measured.map(roundedBy(size)) })),
  brokenDown,
});

const stepsOfPaths = (drawn: DrawnAs<'paths'>, axis: Axis) => {
  const { direction, shown } = drawn;
  return { ...OF_APP, ...eventsOf(drawn), ...windowOf(axis, drawn.places), direction, shown };
};

function wantedPaths(drawn: DrawnAs<'paths'>, axis: Axis, plain: readonly PlainEvent[]) {
  const question = stepsOfPaths(drawn, axis);
  const { fromUs, beforeUs, direction, shown } = question;
  const paths = pathsOf(happened(plain, question), [fromUs, beforeUs], direction);
  const people = new Set(paths.map(({ person }) => person)).size;
  return { sessions: paths.length, people, steps: pathStepsOf(paths, shown) };
}

function wantedLifecycle(drawn: DrawnAs<'lifecycle'>, axis: Axis, plain: readonly PlainEvent[]) {
  const boundaries = boundariesOf(axis);
  const meant = plain.filter(({ row }) => isAsked(row, eventsOf(drawn)));
  const countedOf = (events: readonly PlainEvent[]) => {
    const visits = events.map(({ person, row }) => ({ person, at: row.occurredAtUs }));
    const here = visits.filter(({ at }) => at >= boundaries[0]! && at < boundaries.at(-1)!);
    return {
      people: new Set(here.map(({ person }) => person)).size,
      intervals: lifecycleOf(visits, boundaries).map((one) => ({
        ...{ new: one.new.length, returning: one.returning.length },
        ...{ resurrected: one.resurrected.length, dormant: one.dormant.length },
      })),
    };
  };
  const total = countedOf(meant);
  if (!drawn.breakdown) return total;
  const inWindow = meant
    .map(({ row }) => row)
    .filter(
      ({ occurredAtUs }) => occurredAtUs >= boundaries[1]! && occurredAtUs < boundaries.at(-1)!,
    );
  const { values, textOf, facts, isGiven } = shownOf(inWindow, drawn.breakdown, 6);
  const groups = [...values, null].flatMap((value) => {
    const isIn = ({ row }: PlainEvent) =>
      value === null ? !values.includes(textOf(row)) : textOf(row) === value;
    const counted = countedOf(meant.filter(isIn));
    const isAlways = value !== null && !(isGiven && value === 'unknown');
    return isAlways || counted.people > 0 ? [{ value, ...counted }] : [];
  });
  return { ...total, groups, brokenDown: facts };
}

/** By plain loops. */
export function wanted(
  drawn: Drawn,
  axis: Axis,
  plain: readonly PlainEvent[],
  dataThroughMs: number,
): unknown {
  rememberFirsts(plain);
  switch (drawn.kind) {
    case 'series':
      return wantedSeries(drawn, axis, plain);
    case 'funnel':
      return wantedFunnel(drawn, axis, plain, dataThroughMs);
    case 'retention': {
      const { start, return: comingBack = {}, ...asked } = retentionOf(drawn, axis);
      return plainBrokenRetention(asked, { start: start ?? {}, comingBack }, plain);
    }
    case 'measures':
      return roundedAnswer(plainMeasures(measuresOf(drawn, axis), plain), sizeOf(drawn, plain));
    case 'lifecycle':
      return wantedLifecycle(drawn, axis, plain);
    case 'paths':
      return wantedPaths(drawn, axis, plain);
  }
}

/** Only those that the question names, as routes tell them. */
const namedBy = (question: unknown, memberships: readonly Membership[]): Membership[] => {
  const text = JSON.stringify(question);
  return memberships.filter(({ id }) => text.includes(`"segment":"${id.replace('@event', '')}"`));
};

/** By the reader of the source, in the same shape. */
export async function answered(
  drawn: Drawn,
  axis: Axis,
  { connection, source, size, memberships, threads = null }: Reading,
): Promise<unknown> {
  const ask = <K extends QueryKind>(kind: K, question: QuestionOf<K>) => {
    const named = namedBy(question, memberships);
    return countOver(connection, source, kind, { ...question, memberships: named }, threads);
  };
  switch (drawn.kind) {
    case 'series': {
      const { dataThroughMs: _, series, ...answer } = await ask('series', seriesOf(drawn, axis));
      if ('dimensions' in drawn.asked) return { series, ...answer };
      return { ...answer, series: series.map(({ value: _, ...counts }) => counts) };
    }
    case 'funnel': {
      const { dataThroughMs: _, ...answer } = await ask('funnel', funnelOf(drawn, axis));
      return answer;
    }
    case 'retention': {
      const { dataThroughMs: _, ...answer } = await ask('retention', retentionOf(drawn, axis));
      return answer;
    }
    case 'measures':
      return roundedAnswer(await ask('measures', measuresOf(drawn, axis)), size);
    case 'lifecycle': {
      const { breakdown } = drawn;
      const asked = { ...OF_APP, boundariesUs: boundariesOf(axis), ...eventsOf(drawn) };
      const question = { ...asked, ...(breakdown && { breakdown }) };
      const { dataThroughMs: _, ...answer } = await ask('lifecycle', question);
      return answer;
    }
    case 'paths': {
      const answer = await ask('paths', stepsOfPaths(drawn, axis));
      const { sessions, people } = answer;
      return { sessions, people, steps: shownSteps(answer) };
    }
  }
}
