export const NO_PLATFORM = 'other';
export const NO_VERSION = 'unknown';

export type Counted = { value: string; events: number };

export function ranked(counts: ReadonlyMap<string | null, number>, missing: string): Counted[] {
  const named = new Map<string, number>();
  for (const [value, events] of counts) {
    named.set(value ?? missing, (named.get(value ?? missing) ?? 0) + events);
  }
  return [...named]
    .map(([value, events]) => ({ value, events }))
    .toSorted((a, b) => b.events - a.events || (a.value < b.value ? -1 : 1));
}

export const morePeople = (
  a: { value: string; people: number },
  b: { value: string; people: number },
) => b.people - a.people || (a.value < b.value ? -1 : 1);
