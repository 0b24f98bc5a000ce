import { NOBODY_SQL } from '../../../event-store/read.ts';
import type { Events } from '../source/events.ts';
import { eventRelation, rawEvents, withLateAliases } from './relation.ts';

/** An aggregate over the events of one person; those of their devices are merged by `merge`. */
export type Kept = { name: string; aggregate: string; merge?: 'bit_or' | 'min' | 'sum' };

export type Key = { name: string; sql: string };

/** Late aliases join after grouping: a row a device, not an event. */
export function personRows(
  events: Events,
  columns: readonly string[],
  kept: readonly Kept[],
  { keys = [], as = 'key' }: { keys?: readonly Key[]; as?: 'id' | 'key' } = {},
): string {
  const { source, sql } = events;
  const wanted = [...columns, ...sql.columns];
  const stored = `person_${as}`;
  const keyed = keys.map(({ name, sql }) => `, ${sql} AS ${name}`).join('');
  const isPerson = `${stored} <> ${NOBODY_SQL[as]}`;
  const groups = ['person', ...keys].map((_, index) => index + 1).join(', ');
  const first = kept.map(({ name, aggregate }) => `, ${aggregate} AS ${name}`).join('');
  if (source.lake || source.erased.length > 0 || source.sharesIds) {
    const relation = eventRelation(events, columns, as);
    return `SELECT person${keyed}${first} FROM ${relation} GROUP BY ${groups}`;
  }
  if (source.lateAliases.length === 0) {
    const raw = rawEvents(events, [stored, ...wanted]);
    return `SELECT ${stored} AS person${keyed}${first} FROM ${raw} WHERE ${isPerson} GROUP BY ALL`;
  }
  const raw = rawEvents(events, [stored, 'is_anonymous', ...wanted]);
  const grouped = `(SELECT ${stored}, is_anonymous${keyed}${first} FROM ${raw} WHERE ${isPerson} GROUP BY ALL)`;
  const { from, person } = withLateAliases(grouped, as);
  const names = keys.map(({ name }) => `, ${name}`).join('');
  const merged = kept
    .map(({ name, merge = 'bit_or' }) => `, ${merge}(${name}) AS ${name}`)
    .join('');
  return `SELECT ${person} AS person${names}${merged} FROM ${from} GROUP BY ALL`;
}
