import type { RecentEvent } from '../../../../clients/api/src/index.ts';

const MINUTE_MS = 60_000;
export const MINUTES = 30;

export const keyOf = (event: RecentEvent): string =>
  `${event.receivedAt} ${event.personId} ${event.id} ${event.name} ${event.occurredAt}`;

export function minutesOf(
  receivedAt: Iterable<string>,
  nowMs: number,
): { at: string; count: number }[] {
  const current = Math.floor(nowMs / MINUTE_MS);
  const counts = new Map<number, number>();
  for (const at of receivedAt) {
    // A service's clock a little ahead is still this minute.
    const minute = Math.min(current, Math.floor(Date.parse(at) / MINUTE_MS));
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return Array.from({ length: MINUTES }, (_, index) => {
    const minute = current - MINUTES + 1 + index;
    return { at: new Date(minute * MINUTE_MS).toISOString(), count: counts.get(minute) ?? 0 };
  });
}

export function knownSince(
  events: readonly RecentEvent[],
  limit: number,
  nowMs: number,
): string | null {
  const oldest = events.at(-1);
  if (!oldest || events.length < limit) return null;
  return Date.parse(oldest.receivedAt) > nowMs - MINUTES * MINUTE_MS ? oldest.receivedAt : null;
}
