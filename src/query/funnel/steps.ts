import { textLiteral } from '../../storage/duckdb-literal.ts';
import { whereSql } from '../selection/condition-sql.ts';
import { matchConditions } from '../selection/filters.ts';
import { DUCKDB, type SqlDialect } from '../selection/property.ts';
import { selectedNames, type Selected, selectedSql } from '../selection/selected.ts';
import type { ExclusionRule } from './fold.ts';
import type { FunnelRules, Step } from './model.ts';

export function selectedBy(step: Step): Selected {
  if (!('event' in step)) return step;
  const { event, where } = step;
  return { events: [event], ...(where && { where: matchConditions(where) }) };
}

const ANYTHING: Selected = {};

type Excluding = Pick<FunnelRules, 'exclusions' | 'isStrict' | 'steps'>;

function allExclusions({ steps, exclusions = [], isStrict }: Excluding) {
  const strict = isStrict ? [{ events: ANYTHING, from: 0, to: steps.length - 1 }] : [];
  return [...exclusions, ...strict];
}

/** Steps, then what is excluded: each has a bit in this order. */
export const maskedBy = (rules: Excluding): Step[] => [
  ...rules.steps,
  ...allExclusions(rules).map(({ events }) => events),
];

export const exclusionRules = (rules: Excluding): ExclusionRule[] =>
  allExclusions(rules).map(({ from, to }, index) => ({
    bit: rules.steps.length + index,
    ...{ from, to },
  }));

/** Null where a step is not by name: anything of clients. */
export const stepNames = (steps: readonly Step[]): string[] | null =>
  selectedNames(steps.map(selectedBy));

export const stepColumns = (steps: readonly Step[], sql: SqlDialect = DUCKDB): string[] =>
  steps.flatMap((step) => {
    const { events, where } = selectedBy(step);
    return [...(events ? [] : ['name']), ...(where ? whereSql(where, sql).columns : [])];
  });

/** Bit i: the event matches step i + 1. */
export function maskSql(steps: readonly Step[], sql: SqlDialect = DUCKDB): string {
  const selections = steps.map(selectedBy);
  const bitOf = (condition: string | undefined, index: number) =>
    condition === undefined
      ? String(1 << index)
      : `CASE WHEN ${condition} THEN ${1 << index} ELSE 0 END`;
  const names = [...new Set(selections.flatMap(({ events = [] }) => events))];
  const byName = names.map((name) => {
    const bits = selections.flatMap(({ events, where }, index) =>
      events?.includes(name) ? [bitOf(where && whereSql(where, sql).condition, index)] : [],
    );
    return `WHEN ${textLiteral(name)} THEN ${bits.join(' + ')}`;
  });
  const ofAnyName = selections.flatMap((selected, index) =>
    selected.events ? [] : [bitOf(selectedSql(selected, sql).condition, index)],
  );
  const named = byName.length === 0 ? [] : [`CASE name ${byName.join(' ')} ELSE 0 END`];
  return `(${[...named, ...ofAnyName].join(' + ')})`;
}
