import { at } from '../../shared/assert.ts';
import { invalidInput } from '../../shared/errors.ts';

type EventPosition = { arrival: number; batchIndex: number };

export type Position =
  | { kind: 'events'; event: EventPosition }
  | { kind: 'records'; of: string | null; after: string | null };

/** Receipt order of an event, or a kind with its last key in base64. */
export const CURSOR_PATTERN = '^([0-9]{1,16}-[0-9]{1,5}|[a-z_]{0,40}\\.[A-Za-z0-9_-]{0,1500})$';

export function parseCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [of, key] = cursor.split('.');
  if (of === undefined || key === undefined) {
    const parts = cursor.split('-').map(Number);
    return { kind: 'events', event: { arrival: at(parts, 0), batchIndex: at(parts, 1) } };
  }
  const after = Buffer.from(key, 'base64url').toString();
  if (after.includes('\u0000')) throw invalidInput('cursor', 'must be `nextCursor` of a page');
  return { kind: 'records', of: of || null, after: after || null };
}

export function formatCursor(position: Position | null): string | null {
  if (position === null) return null;
  if (position.kind === 'events') {
    return `${position.event.arrival}-${position.event.batchIndex}`;
  }
  return `${position.of ?? ''}.${Buffer.from(position.after ?? '').toString('base64url')}`;
}
