import { randomFrom } from './random.ts';

/** A route, and the body of its question. */
export type Asked = { path: string; body?: unknown };

export const PLANS = 25;
const EVENTS = ['app_opened', 'paywall_viewed', 'bought'];
const DIMENSIONS = ['platform', 'appVersion', 'country', 'name', 'prop:plan', 'first:platform'];
const FIELDS = [
  { field: 'platform', op: 'is', value: 'ios' },
  { field: 'country', op: 'isNot', value: 'DE' },
  { field: 'prop:plan', op: 'is', value: 'plan-3' },
  { field: 'prop:price', op: 'gte', value: 50 },
  { field: 'prop:page', op: 'contains', value: '7' },
  { field: 'first:appVersion', op: 'gte', value: '2.1' },
];
const STATISTICS = ['sum', 'mean', 'median', 'p90', 'minimum', 'maximum'];
const RULES = [
  { all: [{ did: { events: ['bought'] }, atLeast: 1 }] },
  { any: [{ didNot: { events: ['paywall_viewed'] } }] },
];

/** Questions of every kind about days that are over; the same at every run. */
export function questionsOf(count: number, { from, to }: { from: string; to: string }): Asked[] {
  const random = randomFrom(56);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const maybe = <T extends object>(share: number, made: () => T) =>
    random() < share ? made() : {};
  const window = { from, to, timezone: 'UTC' };
  const where = () => ({ where: { [oneOf(['all', 'any'])]: [oneOf(FIELDS), oneOf(FIELDS)] } });
  const selection = () => ({
    ...maybe(0.8, () => ({ events: [oneOf(EVENTS)] })),
    ...maybe(0.4, where),
  });
  const breakdown = () => ({ breakdown: oneOf(DIMENSIONS) });
  const measure = () =>
    random() < 0.3
      ? { of: oneOf(['people', 'events', 'sessions', 'sessionLength']) }
      : {
          ...{ of: 'property', property: 'price', statistic: oneOf(STATISTICS) },
          per: oneOf(['event', 'person']),
        };
  const kinds: (() => object)[] = [
    () => ({
      kind: 'series',
      series: [selection()],
      interval: oneOf(['day', 'week']),
      ...maybe(0.5, breakdown),
    }),
    () => ({ kind: 'series', series: [selection(), selection()], interval: 'week' }),
    () => ({
      ...{ kind: 'funnel', steps: [selection(), selection(), selection()] },
      ...{ windowHours: oneOf([1, 48, 200]), order: oneOf(['in_order', 'strict', 'any']) },
      ...maybe(0.4, breakdown),
    }),
    () => ({
      kind: 'retention',
      start: selection(),
      return: selection(),
      interval: oneOf(['day', 'week']),
      ...maybe(0.3, breakdown),
    }),
    () => ({
      kind: 'measures',
      selection: selection(),
      measure: measure(),
      ...maybe(0.3, breakdown),
    }),
    () => ({
      kind: 'lifecycle',
      selection: selection(),
      interval: 'week',
      ...maybe(0.3, breakdown),
    }),
    () => ({
      kind: 'paths',
      selection: { events: [oneOf(EVENTS)] },
      direction: oneOf(['after', 'before']),
    }),
  ];
  const routes: (() => Asked)[] = [
    () => ({ path: `events/summary?days=${oneOf([200, 300])}` }),
    () => ({ path: 'segments/preview', body: { rule: oneOf(RULES) } }),
  ];
  return Array.from({ length: count }, (_, n) =>
    n % 8 === 7
      ? oneOf(routes)()
      : { path: 'questions/answer', body: { ...window, ...oneOf(kinds)() } },
  );
}
