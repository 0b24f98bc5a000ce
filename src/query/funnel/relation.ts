import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { type Dimension, dimensionSql } from '../dimension.ts';
import { filterSql, hasFilter } from '../filters.ts';
import { isPlainName } from '../property.ts';
import { type EventSource, eventRelation } from '../source.ts';
import type { Needs } from '../tables.ts';
import { ARM_COLUMNS, armMaskSql, armValuesSql, withArmSql } from './arms.ts';
import {
  type ArmBreakdown,
  type FunnelBreakdownBy,
  type FunnelRules,
  stepsBeforeUs,
} from './model.ts';
import { packedTimeSql, packSql } from './packed.ts';
import { maskSql, stepNames } from './steps.ts';

/** Arrivals are microseconds (51 bits) and batches have at most 100 events. */
const ARRIVAL_BITS = 52;
/** Tie-breaker of events at one instant: the order within the batch, then arrival. */
const TRUE_ORDER_SQL = `((batch_index::BIGINT << ${ARRIVAL_BITS}) | arrival)`;

/** Every column that a funnel can filter or break down by, or count with. */
const FUNNEL_COLUMNS = [
  'name',
  'occurred_at',
  'arrival',
  'batch_index',
  'platform',
  'app_version',
  'country',
  'props',
];

type Asking = Pick<FunnelRules, 'steps' | 'newPeopleOnly'>;

export function funnelNeeds({ steps, newPeopleOnly }: Asking): Needs {
  return { columns: FUNNEL_COLUMNS, ...(!newPeopleOnly && { names: stepNames(steps) }) };
}

/** Whether events' names, times and properties of steps are all that the rules ask for. */
export function isProjectable(
  { steps, filters, newPeopleOnly }: FunnelRules,
  hasBreakdown: boolean,
): boolean {
  return (
    !hasBreakdown &&
    !newPeopleOnly &&
    !hasFilter(filters) &&
    steps.every(({ where }) => where === undefined || isPlainName(where))
  );
}

/** For counts alone, which projections may answer. */
export const funnelCountNeeds = (rules: FunnelRules, breakdown: FunnelBreakdownBy | null) =>
  isProjectable(rules, breakdown !== null)
    ? { ...funnelNeeds(rules), projections: true }
    : funnelNeeds(rules);

/** The same with the exposures that assign people to arms. */
export function armNeeds(rules: Asking): Needs {
  const { columns, names } = funnelNeeds(rules);
  return {
    columns: [...columns, ...ARM_COLUMNS],
    ...(names && { names: [...names, EXPOSURE_EVENT] }),
  };
}

/** Numbers the values of a breakdown from 1. */
export const VALUES_TABLE = 'breakdown_values';

/** Which events can count. */
export const stepConditions = (rules: FunnelRules) => ({
  names: stepNames(rules.steps),
  fromUs: rules.fromUs,
  beforeUs: stepsBeforeUs(rules),
});

/** All events that can count: from the start of the window to its end plus the conversion window. */
function stepEvents(
  source: EventSource,
  rules: FunnelRules,
  columns: readonly string[],
  person: 'id' | 'key',
): string {
  const selection = {
    columns: [...new Set(['name', 'occurred_at', ...columns])],
    ...stepConditions(rules),
  };
  const events = eventRelation(source, selection, person);
  if (!rules.newPeopleOnly) return events;
  const before = { columns: [], ofClients: true, beforeUs: rules.fromUs };
  const seen = `SELECT DISTINCT person FROM ${eventRelation(source, before, person)}`;
  return `(SELECT * FROM ${events} ANTI JOIN (${seen}) USING (person))`;
}

const propsOf = ({ steps }: FunnelRules) => (steps.some((step) => step.where) ? ['props'] : []);

/** One row a person: the packed step events, in a list. */
export function plainListsSql(source: EventSource, rules: FunnelRules): string {
  const packed = packSql(rules.fromUs, maskSql(rules.steps), null);
  return `SELECT list(${packed}) AS events
    FROM ${stepEvents(source, rules, propsOf(rules), 'key')} GROUP BY person`;
}

type Detail = { columns: string[]; packed: string };

/** What the lists with detail are made of, beside the columns of a breakdown. */
function detailOf(rules: FunnelRules): Detail {
  const filter = filterSql(rules.filters);
  return {
    columns: [...propsOf(rules), ...filter.columns, 'batch_index', 'arrival'],
    packed: packSql(rules.fromUs, maskSql(rules.steps), filter.condition),
  };
}

/**
 * Like `plainListsSql`, plus tie-breaking order and a code of 0 per event. By `id` with the person's
 * id; by `key` people are merely told apart, which is enough to count them.
 */
export function detailedListsSql(
  source: EventSource,
  rules: FunnelRules,
  person: 'id' | 'key',
): string {
  const { columns, packed } = detailOf(rules);
  return `SELECT list({e: ${packed}, o: ${TRUE_ORDER_SQL}, c: 0}) AS events${person === 'id' ? ', person' : ''}
    FROM ${stepEvents(source, rules, columns, person)} GROUP BY person`;
}

/** The same with the code of the person's arm, and each event packed with the steps it can count for in it. */
export function armListsSql(source: EventSource, rules: FunnelRules, by: ArmBreakdown): string {
  const { columns, packed } = detailOf(rules);
  const mask = armMaskSql(maskSql(rules.steps), rules, by.horizonUs);
  const inArm = packSql(rules.fromUs, mask, null);
  // The table of arms has person ids.
  const events = stepEvents(source, rules, [...columns, ...ARM_COLUMNS], 'id');
  return `SELECT list({e: ${packed}, o: ${TRUE_ORDER_SQL}, c: coalesce(v.code, 0), a: ${inArm}})
      AS events
    FROM ${withArmSql(events, by.exposedOnly)} LEFT JOIN ${VALUES_TABLE} v ON v.value = arm
    GROUP BY person`;
}

const VALUED_EVENTS = 'valued_events';

/**
 * Makes a table of the step events with the value of those that can start a path: both the values and
 * the lists are made from it, and files are read once.
 */
export function valuedEventsSql(source: EventSource, rules: FunnelRules, by: Dimension): string {
  const { columns, packed } = detailOf(rules);
  const { column, value } = dimensionSql(by);
  return `CREATE OR REPLACE TEMP TABLE ${VALUED_EVENTS} AS
    SELECT person, ${packed} AS packed, ${TRUE_ORDER_SQL} AS true_order,
      CASE WHEN packed & 1 = 1 THEN ${value} END AS value
    FROM ${stepEvents(source, rules, [...columns, column], 'key')}`;
}

/** Makes the table of the values that paths can start with, the most frequent first. */
export function valuesSql({ fromUs, startBeforeUs }: FunnelRules, limit: number): string {
  return `CREATE OR REPLACE TEMP TABLE ${VALUES_TABLE} AS
    SELECT (row_number() OVER (ORDER BY seen DESC, value))::INTEGER AS code, value FROM (
      SELECT value, count(*) AS seen FROM ${VALUED_EVENTS}
      WHERE value IS NOT NULL AND ${packedTimeSql('packed')} < ${startBeforeUs - fromUs}
      GROUP BY value ORDER BY seen DESC, value LIMIT ${limit})`;
}

/** Like `detailedListsSql`, with the code of the value of each event. */
export const valuedListsSql = () => `
  SELECT list({e: packed, o: true_order, c: coalesce(v.code, 0)}) AS events
  FROM ${VALUED_EVENTS} e LEFT JOIN ${VALUES_TABLE} v USING (value) GROUP BY person`;

/** Makes the table of the arms. */
export const armsSql = () => `CREATE OR REPLACE TEMP TABLE ${VALUES_TABLE} AS ${armValuesSql()}`;
