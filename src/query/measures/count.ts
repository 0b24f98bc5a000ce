import { at } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import type { Part } from '../reading/projection/parts.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { Share } from '../reading/projection/share.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown, isAlwaysShown, placeSql, shownBySql } from '../reading/shown-values.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import { named } from '../selection/selection.ts';
import { measuredValue, quantileShare } from './figures.ts';
import {
  MAX_EXACT_VALUES,
  type Measure,
  type Measured,
  type MeasuresAnswer,
  type MeasuresQuestion,
  RELATIVE_ERROR,
} from './model.ts';
import { heldForMeasures } from './needs.ts';
import { MeasureCounter, type MeasuredRange } from './projected.ts';
import { exactQuantile, computeQuantile, STEP_SQL, type Step } from './quantiles.ts';
import { measuredRowsSql, type SeriesSql } from './rows.ts';

/** Columns read with each group: its value, where one column has it. */
function valueSql(measure: Measure, share: number | null, isExact: boolean): string {
  if (share !== null) return isExact ? `quantile_cont(v, ${share})` : 'NULL';
  if (measure.of !== 'property') return 'NULL';
  if (measure.statistic === 'minimum') return 'min(v)';
  return measure.statistic === 'maximum' ? 'max(v)' : 'NULL';
}

/** At most as many rows as the files have; counted only where these might be too many. */
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

/** Exact up to `mostExact` values in a range, then with a stated error. */
async function countBySql(
  run: QueryRun,
  question: MeasuresQuestion,
  mostExact: number,
  split: SeriesSql = null,
): Promise<MeasuresAnswer> {
  const { measure, ranges } = question;
  const rows = measuredRowsSql(run, question, split);
  const share = quantileShare(measure);
  const isExact = share === null || !(await hasTooMany(run, rows, mostExact));
  const steps = isExact ? null : await stepsByRange(run, rows);
  const result = await run.connection.run(
    `SELECT range, count(DISTINCT person), count(*), ${valueSql(measure, share, isExact)},
      sum(i), fsum(d) FROM (${rows}) GROUP BY range`,
  );
  const nothing = { people: 0, count: 0, value: null, sum: 0 };
  const measured = Array.from({ length: ranges.length * (split?.count ?? 1) }, (): Measured => {
    return { people: 0, count: 0, value: measuredValue(measure, nothing) };
  });
  for (const [range, people, count, found, integers, decimals] of await result.getRows()) {
    const number = Number(range);
    const counts = { people: Number(people), count: Number(count) };
    const ofSteps = share !== null && steps?.get(number);
    const value = ofSteps ? computeQuantile(ofSteps, share) : found === null ? null : Number(found);
    const sum = Number(integers ?? 0) + Number(decimals ?? 0);
    measured[number] = { ...counts, value: measuredValue(measure, { ...counts, value, sum }) };
  }
  return {
    dataThroughMs: run.source.dataThroughMs,
    measured,
    relativeError: isExact ? null : RELATIVE_ERROR,
  };
}

function ownValue(measure: Measure, { values, minimum, maximum }: MeasuredRange): number | null {
  const share = quantileShare(measure);
  if (share !== null) return exactQuantile(values, share);
  if (measure.of !== 'property' || minimum > maximum) return null;
  if (measure.statistic === 'minimum') return minimum;
  return measure.statistic === 'maximum' ? maximum : null;
}

function projectedForm(run: QueryRun, question: MeasuresQuestion, mostExact: number) {
  const suits = heldForMeasures(question);
  if (suits === null) return null;
  const { measure } = question;
  const start = (share: Share) => {
    const counter = new MeasureCounter(share, question);
    const answer = (): MeasuresAnswer => ({
      dataThroughMs: run.source.dataThroughMs,
      measured: counter.measured().map((range) => {
        const { people, count, sum } = range;
        const value = ownValue(measure, range);
        return { people, count, value: measuredValue(measure, { people, count, value, sum }) };
      }),
      relativeError: null,
    });
    return { counter, task: { kind: 'measures' as const, question }, answer };
  };
  const count = async (countParts: CountParts, parts: readonly Part[]) => {
    const rows = parts
      .flatMap(({ projection }) => projection.sections)
      .reduce((sum, section) => sum + (isNamed(question.names, section) ? section.rows : 0), 0);
    // Values are held in memory until their quantile is known.
    const isTooMuch = quantileShare(measure) !== null && rows > mostExact;
    return isTooMuch ? null : countParts(start);
  };
  return { suits, count };
}

async function countByValue(
  run: QueryRun,
  question: MeasuresQuestion,
  { by, mostExact }: { by: Dimension; mostExact: number },
): Promise<Pick<MeasuresAnswer, 'brokenDown' | 'relativeError' | 'series'>> {
  await run.load();
  const { boundariesUs, names, filters, where, ranges, valuesFrom = 0 } = question;
  const meant = { ...named(names), filters, where, environment: run.selection.environment };
  const window = {
    fromUs: at(boundariesUs, valuesFrom),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
  const shown = await shownBySql(run, by, { ...meant, ...window });
  const values = [...shown.values, null];
  const place = placeSql(shown.values, dimensionSql(by).value);
  const split = { place, count: values.length };
  const { measured, relativeError } = await countBySql(run, question, mostExact, split);
  const series = values.map((value, index) => ({
    value,
    measured: measured.slice(index * ranges.length, (index + 1) * ranges.length),
  }));
  return {
    relativeError,
    series: series.filter(
      ({ value, measured: own }) =>
        isAlwaysShown(shown, value) ||
        (value === null && shown.others > 0) ||
        own.some(({ count }) => count > 0),
    ),
    brokenDown: brokenDown(shown),
  };
}

export async function countMeasures(
  run: QueryRun,
  question: MeasuresQuestion,
  mostExact = MAX_EXACT_VALUES,
): Promise<MeasuresAnswer> {
  const total = await read(run, {
    projected: projectedForm(run, question, mostExact),
    sql: () => countBySql(run, question, mostExact),
  });
  if (!question.breakdown) return total;
  const { names, filters, where, boundariesUs, valuesFrom = 0 } = question;
  const by = await bounded(run, question.breakdown, {
    ...named(names),
    ...{ filters, where, fromUs: at(boundariesUs, valuesFrom) },
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  });
  const { relativeError, ...byValue } = await countByValue(run, question, { by, mostExact });
  return { ...total, ...byValue, relativeError: total.relativeError ?? relativeError };
}
