import { at } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import type { Part } from '../reading/projection/parts.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { Share } from '../reading/projection/share.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import {
  brokenDown,
  isAlwaysShown,
  placeSql,
  type Shown,
  shownBySql,
  shownByParts,
} from '../reading/shown-values.ts';
import { dimensionSql } from '../selection/dimension.ts';
import { type EventSelection, named } from '../selection/selection.ts';
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

function meantBy({ names, filters, where, boundariesUs, valuesFrom = 0 }: MeasuresQuestion) {
  const beforeUs = at(boundariesUs, boundariesUs.length - 1);
  return { names, filters, where, fromUs: at(boundariesUs, valuesFrom), beforeUs };
}

const measuredValues = (question: MeasuresQuestion): EventSelection => {
  const { names, ...meant } = meantBy(question);
  return { ...named(names), ...meant };
};

type BrokenDownAnswer = Pick<MeasuresAnswer, 'brokenDown' | 'series'>;

function toSeries(shown: Shown, measuredAt: (place: number) => Measured[]): BrokenDownAnswer {
  const series = [...shown.values, null].map((value, place) => ({
    value,
    measured: measuredAt(place),
  }));
  return {
    series: series.filter(
      ({ value, measured }) =>
        isAlwaysShown(shown, value) ||
        (value === null && shown.others > 0) ||
        measured.some(({ count }) => count > 0),
    ),
    brokenDown: brokenDown(shown),
  };
}

function projectedForm(run: QueryRun, question: MeasuresQuestion, mostExact: number) {
  const suits = heldForMeasures(question);
  if (suits === null) return null;
  const { source } = run;
  const { measure, breakdown } = question;
  const startCounting = (share: Share, shown: Shown | null) => {
    const task = { ...question, values: shown ? [{ by: shown.by, shown: shown.values }] : [] };
    const counter = new MeasureCounter(share, task);
    const measuredAt = (place: number | null): Measured[] =>
      counter.measured(place).map((range) => {
        const { people, count, sum } = range;
        const value = ownValue(measure, range);
        return { people, count, value: measuredValue(measure, { people, count, value, sum }) };
      });
    const answer = (): MeasuresAnswer => ({
      dataThroughMs: source.dataThroughMs,
      measured: measuredAt(null),
      relativeError: null,
      ...(shown && toSeries(shown, measuredAt)),
    });
    return { counter, task: { kind: 'measures' as const, question: task }, answer };
  };
  const count = async (countParts: CountParts, parts: readonly Part[]) => {
    const rows = parts
      .flatMap(({ projection }) => projection.sections)
      .reduce((sum, section) => sum + (isNamed(question.names, section) ? section.rows : 0), 0);
    // Values are held in memory until their quantile is known.
    if (quantileShare(measure) !== null && rows > mostExact) return null;
    if (!breakdown) return countParts((share) => startCounting(share, null));
    const shown = await shownByParts({ source, parts, countParts }, breakdown, meantBy(question));
    return shown && countParts((share) => startCounting(share, shown));
  };
  return { suits, count };
}

async function countAllBySql(
  run: QueryRun,
  question: MeasuresQuestion,
  mostExact: number,
): Promise<MeasuresAnswer> {
  const total = await countBySql(run, question, mostExact);
  const { breakdown: by, ranges } = question;
  if (!by) return total;
  const { environment } = run.selection;
  const shown = await shownBySql(run, by, { ...measuredValues(question), environment });
  const place = placeSql(shown.values, dimensionSql(by).value);
  const split = { place, count: shown.values.length + 1 };
  const { measured, relativeError } = await countBySql(run, question, mostExact, split);
  const measuredAt = (place: number) =>
    measured.slice(place * ranges.length, (place + 1) * ranges.length);
  return {
    ...total,
    ...toSeries(shown, measuredAt),
    relativeError: total.relativeError ?? relativeError,
  };
}

export async function countMeasures(
  run: QueryRun,
  asked: MeasuresQuestion,
  mostExact = MAX_EXACT_VALUES,
): Promise<MeasuresAnswer> {
  const breakdown = asked.breakdown && (await bounded(run, asked.breakdown, measuredValues(asked)));
  const question = { ...asked, ...(breakdown && { breakdown }) };
  return read(run, {
    projected: projectedForm(run, question, mostExact),
    sql: () => countAllBySql(run, question, mostExact),
  });
}
