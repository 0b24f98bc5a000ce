/** Sessions and paths by plain loops: no code of the service is in it. */
export type Happened = {
  person: string;
  session: string | null;
  name: string;
  /** Microseconds. */
  at: number;
  isMeant: boolean;
};

const HALF_AN_HOUR = 1_800_000_000;
const A_DAY = 86_400_000_000;

/** In the order given where events are of one instant. */
export function sessionsOf<T extends Happened>(
  events: readonly T[],
  [from, before]: readonly [number, number],
): T[][] {
  const near = events.filter(({ at }) => at >= from - A_DAY && at < before + A_DAY);
  const sorted = near.toSorted((a, b) => a.at - b.at);
  const open = new Map<string, T[]>();
  const sessions: T[][] = [];
  for (const event of sorted) {
    const key = JSON.stringify([event.person, event.session]);
    const going = open.get(key);
    const last = going?.at(-1);
    const isOver = event.session === null && last && event.at - last.at > HALF_AN_HOUR;
    if (going && !isOver) going.push(event);
    else {
      const begun = [event];
      open.set(key, begun);
      sessions.push(begun);
    }
  }
  return sessions;
}

export type Path = { person: string; names: string[] };

/** What came beside the first meant event of each session that has it in the window. */
export function pathsOf(
  events: readonly Happened[],
  window: readonly [number, number],
  direction: 'after' | 'before',
): Path[] {
  const paths: Path[] = [];
  for (const session of sessionsOf(events, window)) {
    const place = session.findIndex(({ isMeant }) => isMeant);
    const first = session[place];
    if (!first || first.at < window[0] || first.at >= window[1]) continue;
    const beside =
      direction === 'after'
        ? session.slice(place + 1, place + 4)
        : session.slice(Math.max(0, place - 3), place).toReversed();
    paths.push({ person: first.person, names: beside.map(({ name }) => name) });
  }
  return paths;
}
