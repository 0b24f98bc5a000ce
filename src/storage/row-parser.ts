import type { Static, TSchema } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { contractRow } from './postgres.ts';

/** Of rows whose columns are the fields of the schema. */
export function rowParser<T extends TSchema>(schema: T, what: string): (row: object) => Static<T> {
  const { parse } = parser(schema, what);
  return (row) => parse(contractRow(row));
}
