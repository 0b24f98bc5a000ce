import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { errorMessage } from '../../../shared/errors.ts';
import { parser } from '../../../shared/schema.ts';
import { QueryFailure } from '../../failure/failure.ts';

export function rowsParser<T extends TSchema>(row: T, what: string) {
  const rows = parser(Type.Array(row), what);
  return (found: unknown[][]): Static<T>[] => {
    try {
      return rows.parse(found);
    } catch (thrown) {
      throw new QueryFailure(
        'away',
        `The engine answered other columns: ${errorMessage(thrown)}`,
        thrown,
      );
    }
  };
}
