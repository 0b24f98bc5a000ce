import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { messageOf } from '../../../shared/errors.ts';
import { parser } from '../../../shared/schema.ts';
import { QueryFailure } from '../../failure.ts';

/** Reads the rows of a statement: what is not of this form is not an answer of the engine. */
export function rowsOf<T extends TSchema>(row: T, what: string) {
  const rows = parser(Type.Array(row), what);
  return (found: unknown[][]): Static<T>[] => {
    try {
      return rows.parse(found);
    } catch (thrown) {
      throw new QueryFailure(
        'away',
        `The engine answered other columns: ${messageOf(thrown)}`,
        thrown,
      );
    }
  };
}
