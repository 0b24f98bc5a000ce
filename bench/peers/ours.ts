import type { QueryEngine } from '../../src/query/engine.ts';
import { PERSON_NEEDS, personEvents } from '../../src/query/events/list.ts';
import { countFunnel } from '../../src/query/funnel/count.ts';
import { funnelCountNeeds } from '../../src/query/funnel/relation.ts';
import { retentionCountNeeds, retentionWindow } from '../../src/query/retention/cohorts.ts';
import { countRetention } from '../../src/query/retention/count.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import { countSeries, seriesCountNeeds } from '../../src/query/series/count.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { SUMMARY_COUNT_NEEDS, summarise } from '../../src/query/summary/summarise.ts';
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
function dauQuestion({ appId, startMs }: Bench): SeriesQuestion {
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
function retentionQuestion({ appId, startMs }: Bench): RetentionQuestion {
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
    startName: null,
    returnName: null,
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
    funnel: async () => {
      const { fromUs, startBeforeUs, windowUs } = funnel;
      const window = { ...funnel, fromUs, beforeUs: startBeforeUs + windowUs };
      const { total } = await engine.run(
        window,
        funnelCountNeeds(funnel, null),
        ({ connection, source, checkTime, threads }) =>
          countFunnel(connection, source, funnel, checkTime, threads),
      );
      return total.people;
    },
    summary: async () => {
      const { people, events } = await engine.run(
        summary,
        SUMMARY_COUNT_NEEDS,
        ({ connection, source, checkTime, threads }) =>
          summarise(connection, source, summary, checkTime, threads),
      );
      return [people, events];
    },
    dau: async () => {
      const [fromUs = 0] = series.boundariesUs;
      const window = { ...series, fromUs, beforeUs: series.boundariesUs.at(-1) ?? 0 };
      const { total } = await engine.run(
        window,
        seriesCountNeeds(series),
        ({ connection, source, checkTime, threads }) =>
          countSeries(connection, source, series, checkTime, threads),
      );
      return [sum(total.people), sum(total.events)];
    },
    retention: async () => {
      const window = { ...cohorts, ...retentionWindow(cohorts) };
      const { people } = await engine.run(
        window,
        retentionCountNeeds(cohorts),
        ({ connection, source, checkTime, threads }) =>
          countRetention(connection, source, cohorts, checkTime, threads),
      );
      return [people];
    },
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
  const { events } = await engine.run(
    { ...question, fromUs: 0 },
    PERSON_NEEDS,
    ({ connection, source }) => personEvents(connection, source, question),
  );
  return events.length;
}
