import { at } from '../../shared/assert.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { dimensionSql } from '../dimension.ts';
import { ARM_COLUMNS, armMaskSql, armValuesSql, withArmSql } from '../experiment/arms.ts';
import { filterSql } from '../filters.ts';
import { isPlainName } from '../property.ts';
import { type EventSource, eventRelation } from '../source.ts';
import type { Needs } from '../tables.ts';
import { type FunnelBreakdownBy, type FunnelRules, stepsBeforeUs } from './model.ts';
import { packSql } from './packed.ts';
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

export function funnelNeeds({ steps }: Pick<FunnelRules, 'steps'>): Needs {
  return { columns: FUNNEL_COLUMNS, names: stepNames(steps) };
}

/** Whether events' names, times and properties of steps are all that the rules ask for. */
export function isProjectable({ steps, filters }: FunnelRules, hasBreakdown: boolean): boolean {
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    !hasBreakdown &&
    !isFiltered &&
    steps.every(({ where }) => where === undefined || isPlainName(where))
  );
}

/** For counts alone, which projections may answer. */
export const funnelCountNeeds = (rules: FunnelRules, breakdown: FunnelBreakdownBy | null) =>
  isProjectable(rules, breakdown !== null)
    ? { ...funnelNeeds(rules), projections: true }
    : funnelNeeds(rules);

/** The same with the exposures that assign people to arms. */
export function armNeeds(rules: Pick<FunnelRules, 'steps'>): Needs {
  const { columns, names = [] } = funnelNeeds(rules);
  return { columns: [...columns, ...ARM_COLUMNS], names: [...names, EXPOSURE_EVENT] };
}

export const VALUES_TABLE = 'breakdown_values';

const breakdownValueSql = (by: FunnelBreakdownBy) =>
  by.kind === 'arm' ? { column: null, value: 'arm' } : dimensionSql(by);

/** Joins the arm, which belongs to a person rather than to an event. */
function withBreakdown(relation: string, by: FunnelBreakdownBy | null): string {
  return by?.kind === 'arm' ? withArmSql(relation, by.exposedOnly) : relation;
}

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
  return eventRelation(source, selection, person);
}

const propsOf = ({ steps }: FunnelRules) => (steps.some((step) => step.where) ? ['props'] : []);

/** One row a person: the packed step events, in a list. */
export function plainListsSql(source: EventSource, rules: FunnelRules): string {
  const packed = packSql(rules.fromUs, maskSql(rules.steps), null);
  return `SELECT list(${packed}) AS events
    FROM ${stepEvents(source, rules, propsOf(rules), 'key')} GROUP BY person`;
}

/**
 * Like `plainListsSql`, plus tie-breaking order and breakdown code per event; with a breakdown by arm
 * also the event packed with the steps it can count for in the person's arm.
 */
export function detailedListsSql(
  source: EventSource,
  rules: FunnelRules,
  breakdown: FunnelBreakdownBy | null,
  withPerson: boolean,
): string {
  const filter = filterSql(rules.filters);
  const by = breakdown && breakdownValueSql(breakdown);
  const isByArm = breakdown?.kind === 'arm';
  const columns = [
    ...propsOf(rules),
    ...filter.columns,
    'batch_index',
    'arrival',
    ...(by?.column ? [by.column] : []),
    ...(isByArm ? ARM_COLUMNS : []),
  ];
  const mask = maskSql(rules.steps);
  const packed = packSql(rules.fromUs, mask, filter.condition);
  const inArm = isByArm
    ? `, a: ${packSql(rules.fromUs, armMaskSql(mask, rules, breakdown.horizonUs), null)}`
    : '';
  // The table of arms has person ids.
  const person = withPerson || isByArm ? 'id' : 'key';
  const events = stepEvents(source, rules, columns, person);
  const code = by ? `coalesce(v.code, 0)` : '0';
  const join = by ? ` LEFT JOIN ${VALUES_TABLE} v ON v.value = ${by.value}` : '';
  return `SELECT list({e: ${packed}, o: ${TRUE_ORDER_SQL}, c: ${code}${inArm}}) AS events
      ${withPerson ? ', person' : ''}
    FROM ${withBreakdown(events, breakdown)}${join} GROUP BY person`;
}

/** The values on step-1 events, the most frequent first, or the arms; numbered from 1. */
export function breakdownValuesSql(
  source: EventSource,
  rules: FunnelRules,
  breakdown: FunnelBreakdownBy,
  limit: number,
): string {
  const values =
    breakdown.kind === 'arm' ? armValuesSql() : startValuesSql(source, rules, breakdown, limit);
  return `CREATE OR REPLACE TEMP TABLE ${VALUES_TABLE} AS ${values}`;
}

function startValuesSql(
  source: EventSource,
  rules: FunnelRules,
  breakdown: FunnelBreakdownBy,
  limit: number,
): string {
  const { column, value } = breakdownValueSql(breakdown);
  const first = at(rules.steps, 0);
  const events = eventRelation(source, {
    columns: [
      ...new Set([
        ...(column ? [column] : []),
        'name',
        'occurred_at',
        ...(first.where ? ['props'] : []),
      ]),
    ],
    names: [first.event],
    fromUs: rules.fromUs,
    beforeUs: rules.startBeforeUs,
  });
  return `SELECT (row_number() OVER (ORDER BY seen DESC, value))::INTEGER AS code, value FROM (
      SELECT ${value} AS value, count(*) AS seen FROM ${events}
      WHERE ${maskSql([first])} = 1 GROUP BY ALL ORDER BY seen DESC, value LIMIT ${limit})`;
}
