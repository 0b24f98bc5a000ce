import type { QueryEngine } from '../../src/query/engine.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { answerHere } from '../../src/query/server.ts';
import { calendarBoundaries } from '../../src/shared/calendar.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { benchQuestion } from '../funnel/question.ts';
import { BENCH_DAYS, BENCH_ORG, type BenchEvents } from '../support/event-files.ts';

export const DAYS = 28;
const WEEKS = 8;
/** A page of a person's export. */
const PAGE = 1_000;

type Bench = Pick<BenchEvents, 'appId' | 'startMs'>;

const inMicros = (boundaries: readonly number[]) => boundaries.map((ms) => ms * 1_000);

/** Of an exclusive end after the log's events. */
const endUs = ({ startMs }: Bench) => (startMs + (BENCH_DAYS + 1) * DAY_MS) * 1_000;

/** People and events of 28 days, as `GET …/events/series?compare=false` asks for them. */
export function dauQuestion({ appId, startMs }: Bench): SeriesQuestion {
  const window = { fromMs: startMs, toMs: startMs + DAYS * DAY_MS };
  return {
    orgId: BENCH_ORG,
    appId,
    boundariesUs: inMicros(calendarBoundaries(window, 'day', 'UTC')),
    names: null,
    breakdown: null,
    valuesFrom: 0,
    filters: {},
    ranges: Array.from({ length: DAYS }, (_, day) => [day, day + 1]),
  };
}

/** Who of eight weekly cohorts came back in which week. */
export function retentionQuestion({ appId, startMs }: Bench): RetentionQuestion {
  const endMs = startMs + (BENCH_DAYS + 1) * DAY_MS;
  const window = { fromMs: endMs - (WEEKS - 1) * 7 * DAY_MS, toMs: endMs };
  return {
    orgId: BENCH_ORG,
    appId,
    boundariesUs: inMicros(calendarBoundaries(window, 'week', 'UTC')),
    cohorts: WEEKS,
    cohort: 'first',
    criterion: 'on',
    periodUs: null,
    periods: WEEKS - 1,
  };
}

/** Our reports, from catalogue and log to the answer; each returns what it counted. */
export function ourReports(engine: QueryEngine, bench: Bench) {
  const { appId, startMs } = bench;
  const funnel = benchQuestion(appId, startMs);
  const summary = {
    orgId: BENCH_ORG,
    appId,
    fromUs: startMs * 1_000,
    beforeUs: endUs(bench),
    limit: 500,
  };
  const series = dauQuestion(bench);
  const cohorts = retentionQuestion(bench);
  return {
    funnel: async () => (await answerHere(engine, 'funnel', funnel)).total.people,
    summary: async () => {
      const { people, events } = await answerHere(engine, 'summary', summary);
      return [people, events];
    },
    dau: async () => {
      const { total } = await answerHere(engine, 'series', series);
      return [sum(total.people), sum(total.events)];
    },
    retention: async () => [(await answerHere(engine, 'retention', cohorts)).people],
  };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** How many events a person's export has. */
export async function exportPerson(engine: QueryEngine, bench: Bench, personId: string) {
  const question = {
    orgId: BENCH_ORG,
    appId: bench.appId,
    personIds: [personId],
    after: null,
    beforeUs: endUs(bench),
    environment: 'all' as const,
    limit: PAGE,
  };
  return (await answerHere(engine, 'person', question)).events.length;
}
