import { type Static, Type } from '@sinclair/typebox';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { COLUMN_DIMENSIONS, dimensionSql } from './dimension.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

export const EventFilters = Type.Object({
  platform: Type.Optional(Type.String()),
  appVersion: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  property: Type.Optional(Type.Object({ prop: Type.String(), equals: Type.String() })),
});
export type EventFilters = Static<typeof EventFilters>;

export const hasFilter = (filters: EventFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

export function filterSql(
  filters: EventFilters,
  properties: SqlDialect = DUCKDB,
): { columns: string[]; condition: string | null } {
  const filtered = COLUMN_DIMENSIONS.flatMap((kind) => {
    const equals = filters[kind];
    if (equals === undefined) return [];
    const { column, value } = dimensionSql({ kind });
    return [{ column, condition: `${value} = ${textLiteral(equals)}` }];
  });
  if (filters.property) {
    filtered.push({ column: 'props', condition: properties.match(filters.property) });
  }
  const conditions = filtered.map(({ condition }) => condition);
  return {
    columns: filtered.map(({ column }) => column),
    condition: conditions.length === 0 ? null : conditions.join(' AND '),
  };
}
