import { invalidInput } from './errors.ts';

const encodeCursor = (personId: string): string => Buffer.from(personId).toString('base64url');

export const cursorAfter = (last: string | undefined, hasMore: boolean): string | null =>
  hasMore && last !== undefined ? encodeCursor(last) : null;

/** Throws `invalid_input` for invalid cursors. */
export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const personId = Buffer.from(cursor, 'base64url').toString();
  if (personId !== '' && encodeCursor(personId) === cursor) return personId;
  throw invalidInput('cursor', 'must be the nextCursor of the page before');
}
