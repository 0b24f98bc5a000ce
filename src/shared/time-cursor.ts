export type TimePosition = { atMs: number; id: string };

export function parseTimeCursor(cursor: string | undefined): TimePosition | null {
  if (cursor === undefined) return null;
  const end = cursor.indexOf('_');
  return { atMs: Number(cursor.slice(0, end)), id: cursor.slice(end + 1) };
}

export const timeCursor = (at: string, id: string): string => `${Date.parse(at)}_${id}`;
