import type { QueryRun } from '../reading/run.ts';
import {
  type Measured,
  type Measure,
  type MeasuresAnswer,
  type MeasuresQuestion,
  MAX_EXACT_VALUES,
  RELATIVE_ERROR,
} from './model.ts';
import { quantileOf, type Step, STEP_SQL } from './quantiles.ts';
import { measuredRowsSql } from './rows.ts';

const quantileShare = (measure: Measure): number | null => {
  if (measure.of === 'sessionLength') return 0.5;
  if (measure.of !== 'property') return null;
  return measure.statistic === 'median' ? 0.5 : measure.statistic === 'p90' ? 0.9 : null;
};

/** What is read with each group: its value, where one column says it. */
function valueSql(measure: Measure, share: number | null, isExact: boolean): string {
  if (share !== null) return isExact ? `quantile_cont(v, ${share})` : 'NULL';
  if (measure.of !== 'property') return 'NULL';
  if (measure.statistic === 'minimum') return 'min(v)';
  return measure.statistic === 'maximum' ? 'max(v)' : 'NULL';
}

type Group = { people: number; count: number; value: number | null; sum: number };

function measuredValue(measure: Measure, { people, count, value, sum }: Group): number | null {
  switch (measure.of) {
    case 'people':
      return people;
    case 'events':
    case 'sessions':
      return count;
    case 'eventsPerPerson':
    case 'sessionsPerPerson':
      return people === 0 ? null : count / people;
    case 'sessionLength':
      return value;
    case 'property':
      if (measure.statistic === 'sum') return count === 0 ? null : sum;
      return measure.statistic === 'mean' && count > 0 ? sum / count : value;
  }
}

/** Of no more rows than the files have; counted only where these might be too many. */
async function hasTooMany(run: QueryRun, rows: string, most: number): Promise<boolean> {
  const { source, files, connection } = run;
  const bound = files.reduce((sum, file) => sum + file.rows, source.hotRows.length);
  if (bound <= most) return false;
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM (${rows}) GROUP BY range)`,
  );
  return Number(result.getRows()[0]?.[0]) > most;
}

async function stepsByRange({ connection }: QueryRun, rows: string): Promise<Map<number, Step[]>> {
  const result = await connection.run(
    `SELECT range, ${STEP_SQL}, count(*) FROM (${rows}) GROUP BY ALL`,
  );
  const found = new Map<number, Step[]>();
  for (const row of await result.getRows()) {
    const [range = 0, sign = 0, step = 0, count = 0] = row.map(Number);
    const steps = found.get(range) ?? [];
    found.set(range, steps);
    steps.push({ sign, step, count });
  }
  return found;
}

/** Exact up to `mostExact` values in a range; quantiles of more have a relative error, which is said. */
export async function countMeasures(
  run: QueryRun,
  question: MeasuresQuestion,
  mostExact = MAX_EXACT_VALUES,
): Promise<MeasuresAnswer> {
  const { measure, ranges } = question;
  const rows = measuredRowsSql(run, question);
  const share = quantileShare(measure);
  const isExact = share === null || !(await hasTooMany(run, rows, mostExact));
  const steps = isExact ? null : await stepsByRange(run, rows);
  const result = await run.connection.run(
    `SELECT range, count(DISTINCT person), count(*), ${valueSql(measure, share, isExact)},
      sum(i), fsum(d) FROM (${rows}) GROUP BY range`,
  );
  const nothing = { people: 0, count: 0, value: null, sum: 0 };
  const measured = ranges.map((): Measured => {
    return { people: 0, count: 0, value: measuredValue(measure, nothing) };
  });
  for (const [range, people, count, found, integers, decimals] of await result.getRows()) {
    const number = Number(range);
    const counts = { people: Number(people), count: Number(count) };
    const ofSteps = share !== null && steps?.get(number);
    const value = ofSteps ? quantileOf(ofSteps, share) : found === null ? null : Number(found);
    const sum = Number(integers ?? 0) + Number(decimals ?? 0);
    measured[number] = { ...counts, value: measuredValue(measure, { ...counts, value, sum }) };
  }
  return {
    dataThroughMs: run.source.dataThroughMs,
    measured,
    relativeError: isExact ? null : RELATIVE_ERROR,
  };
}
