import type { Static, TSchema } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { contractRow, firstRow, singleRow } from './postgres.ts';

export const rowsOf = <R, T>(read: (row: R) => T) => ({
  all: async (rows: PromiseLike<readonly R[]>): Promise<T[]> =>
    (await rows).map((row) => read(row)),
  first: async (rows: PromiseLike<readonly R[]>): Promise<T | null> => {
    const row = await firstRow(rows);
    return row === null ? null : read(row);
  },
  only: async (rows: PromiseLike<readonly R[]>): Promise<T> => read(await singleRow(rows)),
});

/** Rows whose columns are the fields of the schema. */
export function rowParser<T extends TSchema>(schema: T, what: string) {
  const { parse } = parser(schema, what);
  const read = (row: object): Static<T> => parse(contractRow(row));
  return Object.assign(read, rowsOf(read));
}
