export type TimePosition = { atMs: number; id: string };

export function parseTimeCursor(cursor: string | undefined): TimePosition | null {
  if (cursor === undefined) return null;
  const end = cursor.indexOf('_');
  return { atMs: Number(cursor.slice(0, end)), id: cursor.slice(end + 1) };
}

export const timeCursor = (at: string, id: string): string => `${Date.parse(at)}_${id}`;

/** `select` gets a limit that is one higher, which says whether there are more. */
export async function readPage<Row>(
  limit: number,
  select: (limit: number) => Promise<Row[]>,
  cursorOf: (last: Row) => string,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const found = await select(limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : cursorOf(last) };
}
