import { type Static, Type } from '@sinclair/typebox';
import { isReserved, RESERVED_SQL } from '../../event-store/projections.ts';
import { textList } from '../../storage/duckdb-literal.ts';
import { whereSql } from './condition-sql.ts';
import { Conditions } from './conditions.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

/** Some of the events of a question: all that clients send when nothing is said. */
export const Selected = Type.Object({
  events: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  where: Type.Optional(Conditions),
});
export type Selected = Static<typeof Selected>;

export const isAnything = ({ events, where }: Selected): boolean => !events && !where;

export const isOfEvents = ({ events }: Selected, name: string): boolean =>
  events ? events.includes(name) : !isReserved(name);

export function selectedNames(selections: readonly Selected[]): string[] | null {
  if (selections.some(({ events }) => events === undefined)) return null;
  return [...new Set(selections.flatMap(({ events = [] }) => events))];
}

/** Among events of whatever name; null is no match. */
export function selectedSql(
  { events, where }: Selected,
  sql: SqlDialect = DUCKDB,
): { columns: string[]; condition: string } {
  const conditions = where && whereSql(where, sql);
  const named = events ? `name IN (${textList(events)})` : `NOT ${RESERVED_SQL}`;
  return {
    columns: ['name', ...(conditions?.columns ?? [])],
    condition: conditions ? `(${named} AND ${conditions.condition})` : named,
  };
}
