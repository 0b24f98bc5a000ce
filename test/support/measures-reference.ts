import { type Happened, sessionsOf } from './session-reference.ts';

/** Measures by plain loops: no code of the service is in it. */
export type Measurable = Happened & { number: number | null };

type Asked =
  | { of: string }
  | { of: 'property'; property: string; statistic: string; per: 'event' | 'person' };

type Value = { person: string; at: number; value: number };

/** Numbers between two neighbours where the place lies between them. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/** Whole numbers as whole numbers. */
function total(values: readonly number[]): number {
  let whole = 0n;
  let rest = 0;
  for (const value of values) {
    if (Number.isSafeInteger(value)) whole += BigInt(value);
    else rest += value;
  }
  return Number(whole) + rest;
}

function statistic(name: string, values: readonly number[]): number | null {
  if (values.length === 0) return null;
  if (name === 'sum') return total(values);
  if (name === 'mean') return total(values) / values.length;
  if (name === 'median') return quantile(values, 0.5);
  if (name === 'p90') return quantile(values, 0.9);
  return name === 'minimum' ? Math.min(...values) : Math.max(...values);
}

function valuesOf(asked: Asked, events: readonly Measurable[], window: [number, number]): Value[] {
  if (asked.of.startsWith('session')) {
    return sessionsOf(events, window)
      .filter((session) => session.some(({ isMeant }) => isMeant))
      .map((session) => ({
        ...{ person: session[0]!.person, at: session[0]!.at },
        value: (session.at(-1)!.at - session[0]!.at) / 1_000_000,
      }));
  }
  return events
    .filter(({ isMeant, number }) => isMeant && (asked.of !== 'property' || number !== null))
    .map(({ person, at, number }) => ({ person, at, value: number ?? 0 }));
}

/** Of everything from the first boundary of each range up to its last. */
export function measuredBy(
  asked: Asked,
  events: readonly Measurable[],
  boundaries: readonly number[],
  ranges: readonly (readonly [number, number])[],
) {
  const values = valuesOf(asked, events, [boundaries[0]!, boundaries.at(-1)!]);
  return ranges.map(([from, before]) => {
    const [start, end] = [boundaries[from]!, boundaries[before]!];
    const own = from < before ? values.filter(({ at }) => at >= start && at < end) : [];
    const byPerson = Map.groupBy(own, ({ person }) => person);
    const people = byPerson.size;
    if (asked.of === 'people') return { value: people, people, count: own.length };
    if (asked.of === 'events' || asked.of === 'sessions') {
      return { value: own.length, people, count: own.length };
    }
    if (asked.of.endsWith('PerPerson')) {
      return { value: people === 0 ? null : own.length / people, people, count: own.length };
    }
    const all = own.map(({ value }) => value);
    if (!('statistic' in asked)) {
      return { value: statistic('median', all), people, count: own.length };
    }
    const each =
      asked.per === 'event'
        ? all
        : [...byPerson.values()].map((of) => total(of.map(({ value }) => value)));
    return { value: statistic(asked.statistic, each), people, count: each.length };
  });
}
