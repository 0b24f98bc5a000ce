import { at, outside } from '../../shared/assert.ts';
import { type ByValue, readByValue, sqlByValue } from '../reading/by-value.ts';
import type { ShownValues } from '../reading/projection/activity-reader.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { Share } from '../reading/projection/share.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown, isAlwaysShown, type Shown } from '../reading/shown-values.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
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
import { measuredRowsSql, type SeriesSql, sumsSql } from './rows.ts';

/** Columns read with each group: its value, where one column has it. */
function valueSql(
  { sql: { dialect } }: SqlRun,
  measure: Measure,
  { share, isExact }: { share: number | null; isExact: boolean },
): string {
  if (share !== null) return isExact ? dialect.quantile('v', share) : 'NULL';
  if (measure.of !== 'property') return 'NULL';
  if (measure.statistic === 'minimum') return 'min(v)';
  return measure.statistic === 'maximum' ? 'max(v)' : 'NULL';
}

/** At most as many rows as the files have; counted only where these might be too many. */
async function hasTooMany(run: SqlRun, rows: string, most: number): Promise<boolean> {
  const { source, files } = run;
  const bound = files.reduce((sum, file) => sum + file.rows, source.hotRows.length);
  if (!source.lake && bound <= most) return false;
  const counted = await readRows(
    run,
    `SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM (${rows}) GROUP BY range)`,
  );
  return Number(counted[0]?.[0]) > most;
}

async function stepsByRange(run: SqlRun, rows: string): Promise<Map<number, Step[]>> {
  const counted = await readRows(
    run,
    `SELECT range, ${STEP_SQL}, count(*) FROM (${rows}) GROUP BY 1, 2, 3`,
  );
  const found = new Map<number, Step[]>();
  for (const row of counted) {
    const [range = 0, sign = 0, step = 0, count = 0] = row.map(Number);
    const steps = found.get(range) ?? [];
    found.set(range, steps);
    steps.push({ sign, step, count });
  }
  return found;
}

/** Exact up to `mostExact` values in a range, then with a stated error. */
async function countAtOnce(
  run: SqlRun,
  question: MeasuresQuestion,
  mostExact: number,
  split: SeriesSql,
): Promise<Counted[]> {
  const { measure, ranges } = question;
  const rows = measuredRowsSql(run, question, split);
  const share = quantileShare(measure);
  const isExact = share === null || !(await hasTooMany(run, rows, mostExact));
  const steps = isExact ? null : await stepsByRange(run, rows);
  const found = await readRows(
    run,
    `SELECT range, count(DISTINCT person), count(*), ${valueSql(run, measure, { share, isExact })},
      ${sumsSql(run.sql.dialect)} FROM (${rows}) GROUP BY range`,
  );
  const nothing = { people: 0, count: 0, value: null, sum: 0 };
  const measured = Array.from({ length: ranges.length * (split?.places ?? 1) }, (): Measured => {
    return { people: 0, count: 0, value: measuredValue(measure, nothing) };
  });
  for (const [range, people, count, own, integers, decimals] of found) {
    const number = Number(range);
    const counts = { people: Number(people), count: Number(count) };
    const ofSteps = share !== null && steps?.get(number);
    const value = ofSteps ? computeQuantile(ofSteps, share) : own === null ? null : Number(own);
    const sum = Number(integers ?? 0) + Number(decimals ?? 0);
    measured[number] = { ...counts, value: measuredValue(measure, { ...counts, value, sum }) };
  }
  const relativeError = isExact ? null : RELATIVE_ERROR;
  return Array.from({ length: split?.places ?? 1 }, (_, place) => ({
    ...{
      measured: measured.slice(place * ranges.length, (place + 1) * ranges.length),
      relativeError,
    },
  }));
}

function ownValue(measure: Measure, { values, minimum, maximum }: MeasuredRange): number | null {
  const share = quantileShare(measure);
  if (share !== null) return exactQuantile(values, share);
  if (measure.of !== 'property' || minimum > maximum) return null;
  if (measure.statistic === 'minimum') return minimum;
  return measure.statistic === 'maximum' ? maximum : null;
}

function brokenDownSeries(groups: readonly Counted[], shown: Shown) {
  const series = groups.map(({ measured }, place) => ({
    value: shown.values[place] ?? null,
    measured,
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

type Counted = Pick<MeasuresAnswer, 'measured' | 'relativeError'>;

function startCounting(question: MeasuresQuestion, share: Share, values: ShownValues | null) {
  const { measure } = question;
  const task = { ...question, values: values ? [values] : [] };
  const counter = new MeasureCounter(share, task);
  const places = [null, ...(values ? [...values.shown.keys(), values.shown.length] : [])];
  const measuredAt = (place: number | null): Measured[] =>
    counter.measured(place).map((range) => {
      const { people, count, sum } = range;
      const value = ownValue(measure, range);
      return { people, count, value: measuredValue(measure, { people, count, value, sum }) };
    });
  const counts = () =>
    places.map((place) => ({ measured: measuredAt(place), relativeError: null }));
  return { counter, task: { kind: 'measures' as const, question: task }, counts };
}

const toForms =
  (mostExact: number) =>
  (run: SqlRun, question: MeasuresQuestion): ByValue<MeasuresAnswer, Counted> => {
    const { measure, names, filters, where, boundariesUs, valuesFrom = 0 } = question;
    return {
      by: question.breakdown,
      meant: {
        ...{ names, filters, where, fromUs: at(boundariesUs, valuesFrom) },
        beforeUs: at(boundariesUs, boundariesUs.length - 1),
      },
      suits: heldForMeasures(question),
      // Values are held in memory until their quantile is known.
      isTooMuch: (parts) =>
        quantileShare(measure) !== null &&
        parts
          .flatMap(({ projection }) => projection.sections)
          .reduce((sum, section) => sum + (isNamed(names, section) ? section.rows : 0), 0) >
          mostExact,
      start: (share, values) => startCounting(question, share, values),
      count: (split) => countAtOnce(run, question, mostExact, split),
      answer: ([total = outside(), ...groups], shown) => ({
        ...{ dataThroughMs: run.source.dataThroughMs, ...total },
        relativeError: total.relativeError ?? groups[0]?.relativeError ?? null,
        ...(shown && brokenDownSeries(groups, shown)),
      }),
    };
  };

export const measuresBySql = (run: SqlRun, question: MeasuresQuestion) =>
  sqlByValue(run, toForms(MAX_EXACT_VALUES)(run, question));

export const countMeasures = (
  run: QueryRun,
  question: MeasuresQuestion,
  mostExact = MAX_EXACT_VALUES,
): Promise<MeasuresAnswer> => readByValue(run, question, toForms(mostExact));
