import { selectEvents } from '../reading/source/events.ts';
import type { SqlRun } from '../reading/source/sql-rows.ts';
import { allSql } from '../selection/condition-sql.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import { conditionsOfEvents } from '../selection/selection.ts';
import { ORDER_COLUMNS, stepEvents } from './lists.ts';
import { type FunnelRules, MAX_FUNNEL_STEPS } from './model.ts';
import { planFunnel } from './plan.ts';
import { maskSql, selectedBy } from './steps.ts';

/** Times this, plus the mask of steps. */
export const PACKED = 2 ** MAX_FUNNEL_STEPS;

export type LakeFunnel = {
  rules: FunnelRules;
  run: SqlRun;
  breakdown: Dimension | null;
};

/** An event may match several steps; two at one instant are then a matching. */
export function overlaps({ steps }: FunnelRules): boolean {
  const names = steps.flatMap((step) => selectedBy(step).events ?? ['']);
  return steps.some((step) => !selectedBy(step).events) || new Set(names).size < names.length;
}

const entrySql = ({ rules, run }: LakeFunnel) =>
  allSql(conditionsOfEvents(rules), run.sql.dialect).condition;

export const needsStart = (funnel: LakeFunnel) =>
  funnel.breakdown !== null || entrySql(funnel) !== null;

export function stepEventsSql(funnel: LakeFunnel): string {
  const { rules, run, breakdown } = funnel;
  const { dialect } = run.sql;
  const plan = planFunnel({ ...rules, breakdown });
  const entry = entrySql(funnel);
  const events = stepEvents(selectEvents(run.source, plan.events), plan, ORDER_COLUMNS, 'id');
  return `SELECT person, ${dialect.sinceEpoch('occurred_at')} - ${rules.fromUs} AS us,
      ${maskSql(rules.steps, dialect)} AS mask, batch_index AS place, arrival,
      ${entry === null ? 'true' : `coalesce(${entry}, false)`} AS kept,
      ${breakdown ? dimensionSql(breakdown, dialect).value : "''"} AS value
    FROM ${events}`;
}

const bit = (step: number) => `bitwise_and(x, ${2 ** step}) <> 0`;

/** As in `FunnelFold`: highest step first, so all at once. */
function startsSql(rules: FunnelRules): string {
  const { steps, windowUs, startBeforeUs, fromUs, firstStartOnly } = rules;
  const mayStart = firstStartOnly ? 's[1] IS NULL AND ' : '';
  const next = steps.map((_, step) => {
    if (step === 0) {
      return `IF(${mayStart}${bit(0)} AND x / ${PACKED} < ${startBeforeUs - fromUs}, x / ${PACKED}, s[1])`;
    }
    return `IF(${bit(step)} AND x / ${PACKED} - s[${step}] <= ${windowUs}, s[${step}], s[${step + 1}])`;
  });
  const none = steps.map(() => 'CAST(NULL AS BIGINT)');
  return `reduce(events, ARRAY[${none.join(', ')}], (s, x) -> ARRAY[${next.join(', ')}], s -> s)`;
}

/** Each step as early as it can be had. */
const PATH_SQL = `reduce(events, CAST(ARRAY[] AS ARRAY(BIGINT)), (p, x) -> CASE
    WHEN cardinality(p) >= depth THEN p
    WHEN cardinality(p) = 0 THEN IF(x / ${PACKED} = started AND ${bit(0)}, ARRAY[x], p)
    WHEN x > element_at(p, -1)
      AND bitwise_and(x, bitwise_left_shift(BIGINT '1', CAST(cardinality(p) AS INTEGER))) <> 0 THEN p || x
    ELSE p END, p -> transform(p, x -> x / ${PACKED}))`;

/** `FunnelFold` counts such people. State: last time, several steps there, found. */
export const TIED_SQL = `(reduce(events, ARRAY[BIGINT '-1', 0, 0], (s, x) -> ARRAY[x / ${PACKED},
    IF(bit_count(bitwise_and(x, ${PACKED - 1}), 64) > 1 OR (x / ${PACKED} = s[1] AND s[2] = 1), 1, 0),
    IF(x / ${PACKED} = s[1] AND (s[2] = 1 OR bit_count(bitwise_and(x, ${PACKED - 1}), 64) > 1), 1, s[3])],
  s -> s[3]) = 1)`;

function peopleSql(funnel: LakeFunnel): string {
  const { startBeforeUs, fromUs } = funnel.rules;
  const begins = `bitwise_and(mask, 1) = 1 AND us < ${startBeforeUs - fromUs}`;
  const starts = needsStart(funnel)
    ? `, array_sort(array_agg(CAST(ROW(us, place, arrival, kept, value)
        AS ROW(us BIGINT, place BIGINT, arrival BIGINT, kept BOOLEAN, value VARCHAR)))
        FILTER (WHERE ${begins})) AS begun`
    : '';
  return `SELECT person, array_sort(array_agg(us * ${PACKED} + mask)) AS events,
      min(us) FILTER (WHERE ${begins}) AS entered${starts}
    FROM (${stepEventsSql(funnel)}) WHERE mask <> 0 GROUP BY person
    HAVING count_if(${begins}) > 0`;
}

export function pathsSql(funnel: LakeFunnel, { withTied = false } = {}): string {
  const { rules } = funnel;
  const hasStart = needsStart(funnel);
  const begun = hasStart ? ', begun' : '';
  const last = 'element_at(begun, cardinality(filter(begun, b -> b.us <= started)))';
  const chosen = `IF(depth = 1, element_at(begun, 1), ${last})`;
  const isTied = overlaps(rules) ? TIED_SQL : 'false';
  const only = overlaps(rules) && !withTied ? 'WHERE NOT tied' : '';
  return `SELECT person, depth, started, latest, ${PATH_SQL} AS times, tied${begun}
      ${hasStart ? `, ${chosen} AS start` : ''}
    FROM (SELECT person, events, tied${begun}, depth, element_at(s, depth) AS latest,
        IF(depth = 1, entered, element_at(s, depth)) AS started
      FROM (SELECT *, cardinality(filter(s, v -> v IS NOT NULL)) AS depth
        FROM (SELECT *, ${startsSql(rules)} AS s, ${isTied} AS tied
          FROM (${peopleSql(funnel)})) ${only}))`;
}
