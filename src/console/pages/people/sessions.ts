import type { Event } from './queries.ts';

export type Session = {
  id: string;
  from: string;
  to: string;
  events: readonly [Event, ...Event[]];
};

/** For events without a session. */
const PAUSE_MS = 1_800_000;

const msOf = ({ occurredAt }: Event): number => Date.parse(occurredAt);

export function sessionsOf(events: readonly Event[]): Session[] {
  const byKey = new Map<string, [Event, ...Event[]]>();
  let loose: { key: string; lastMs: number } | undefined;
  for (const event of events.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt))) {
    let key = event.sessionId;
    if (key === null) {
      const isNear = loose !== undefined && msOf(event) - loose.lastMs < PAUSE_MS;
      key = isNear && loose ? loose.key : `without ${event.occurredAt}`;
      loose = { key, lastMs: msOf(event) };
    }
    const found = byKey.get(key);
    if (found) found.push(event);
    else byKey.set(key, [event]);
  }
  return [...byKey]
    .map(([id, all]) => ({
      id,
      from: all[0].occurredAt,
      to: all.at(-1)?.occurredAt ?? all[0].occurredAt,
      events: all,
    }))
    .toSorted((a, b) => b.from.localeCompare(a.from));
}

/** Each once, and how many do not fit. */
export function pathOf(session: Session, most: number): { names: string[]; more: number } {
  const names = [...new Set(session.events.map(({ name }) => name))];
  return { names: names.slice(0, most), more: Math.max(0, names.length - most) };
}
