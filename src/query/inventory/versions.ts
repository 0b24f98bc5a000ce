import { at } from '../../shared/assert.ts';
import { bucketSql } from '../reading/duckdb/buckets.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import {
  type RankedValues,
  rankAtOnce,
  ValueCounter,
} from '../reading/projection/ranked-values.ts';
import type { Part } from '../reading/projection/parts.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { compareTexts } from '../selection/condition-match.ts';
import { MISSING } from '../selection/dimension.ts';
import { SeriesCounter } from '../series/projected.ts';
import { MAX_VERSIONS, type VersionsAnswer, type VersionsQuestion } from './model.ts';

const BY = { kind: 'appVersion' } as const;
const OF_CLIENTS = { names: null, filters: {}, where: undefined };
/** Bits of each person; of more DuckDB counts. */
const MAX_BITS = 8_192;
/** Shares are decimals. */
const ROUNDING = 1e-9;

/** No stray device. */
const isInUse = (
  { minimumPeople, minimumShare }: VersionsQuestion,
  people: number,
  everybody: number,
): boolean => people >= minimumPeople && people >= minimumShare * everybody - ROUNDING;

async function versionsOf(
  { source: { environment } }: QueryRun,
  countParts: CountParts,
  parts: readonly Part[],
  { boundariesUs }: VersionsQuestion,
): Promise<string[] | null> {
  const [fromUs, beforeUs] = [at(boundariesUs, 0), at(boundariesUs, boundariesUs.length - 1)];
  const question: RankedValues = { ...OF_CLIENTS, by: BY, fromUs, beforeUs };
  const found =
    rankAtOnce({ parts, environment }, question) ??
    (await countParts((share) => {
      const counter = new ValueCounter(share, question);
      const task = { kind: 'values' as const, question };
      return { counter, task, answer: () => counter.ranked() };
    }));
  if (found === null) return null;
  return found.filter((version) => version !== MISSING.appVersion);
}

function versionsInUse(
  question: VersionsQuestion,
  shown: readonly string[],
  counter: SeriesCounter,
): VersionsAnswer {
  const { total, series } = counter.counts();
  const versions = shown.flatMap((appVersion, index) => {
    const day = at(series, index).people.findIndex((people, day) =>
      isInUse(question, people, at(total.people, day)),
    );
    return day === -1 ? [] : [{ appVersion, day }];
  });
  const inOrder = versions.toSorted(
    (a, b) => a.day - b.day || compareTexts(a.appVersion, b.appVersion),
  );
  return { versions: inOrder.slice(0, MAX_VERSIONS) };
}

async function countByParts(
  run: QueryRun,
  countParts: CountParts,
  parts: readonly Part[],
  question: VersionsQuestion,
): Promise<VersionsAnswer | null> {
  const { boundariesUs } = question;
  const days = boundariesUs.length - 1;
  const shown = await versionsOf(run, countParts, parts, question);
  if (shown === null || (shown.length + 1) * days > MAX_BITS) return null;
  const ranges = Array.from({ length: days }, (_, day): [number, number] => [day, day + 1]);
  return countParts((share) => {
    const task = {
      ...{ ...OF_CLIENTS, boundariesUs, ranges, values: [{ by: BY, shown }], selections: null },
      counted: share.parts.map(() => true),
    };
    const counter = new SeriesCounter(share, task);
    const answer = () => versionsInUse(question, shown, counter);
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
}

async function countBySql(
  run: QueryRun,
  { boundariesUs, minimumPeople, minimumShare }: VersionsQuestion,
): Promise<VersionsAnswer> {
  const events = eventRelation(run, ['app_version', 'occurred_at'], 'key');
  const result = await run.connection.run(
    `WITH days AS MATERIALIZED (
        SELECT DISTINCT ${bucketSql(boundariesUs)} AS day, app_version, person FROM ${events}),
      everybody AS (SELECT day, count(DISTINCT person) AS people FROM days GROUP BY day),
      versions AS (SELECT day, app_version, count(*) AS people FROM days
        WHERE app_version <> '${MISSING.appVersion}' GROUP BY ALL HAVING count(*) >= ${minimumPeople})
      SELECT v.app_version, min(v.day) FROM versions v JOIN everybody e ON e.day = v.day
      WHERE v.people >= ${minimumShare} * e.people
      GROUP BY 1 ORDER BY 2, 1 LIMIT ${MAX_VERSIONS}`,
  );
  const rows = await result.getRows();
  return {
    versions: rows.map(([version, day]) => ({ appVersion: String(version), day: Number(day) })),
  };
}

export const firstSeen = (run: QueryRun, question: VersionsQuestion): Promise<VersionsAnswer> =>
  read(run, {
    projected: {
      suits: { wantsSenders: true },
      count: (countParts, parts) => countByParts(run, countParts, parts, question),
    },
    sql: () => countBySql(run, question),
  });
