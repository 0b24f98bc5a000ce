import { randomFrom } from '../random.ts';

const VERSIONS = ['1.2.0', '1.10', '2.9', '2.10', '2.10.0', '2.10-beta', '3', 'dev', ''];
const COUNTRIES = ['DE', 'de', 'US', 'fr', 'BR'];
const LOCALES = ['de-DE', 'de-AT', 'en-US', 'pt-BR', 'fr'];
const PLATFORMS = ['ios', 'android', 'web'];
const PLANS = ['free', 'pro', 'Pro', '5', 'ünïcode'];

/** Random flags and contexts, the same at every run. */
export function randomFlags(seed: number) {
  const random = randomFrom(seed);
  const chance = (share: number) => random() < share;
  const upTo = (count: number) => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));

  const VALUES: Record<string, () => unknown[]> = {
    platform: () => PLATFORMS,
    appVersion: () => VERSIONS.filter((one) => /^\d/.test(one)),
    osVersion: () => VERSIONS.filter((one) => /^\d/.test(one)),
    country: () => COUNTRIES,
    locale: () => LOCALES,
    'prop:plan': () => PLANS,
    'prop:age': () => [5, 18, 65, 0.5],
    'prop:staff': () => [true, false],
  };

  function condition(): object {
    const field = pick(Object.keys(VALUES));
    const values = VALUES[field]?.() ?? [];
    const value = pick(values);
    if (chance(0.15)) return { field, op: pick(['isSet', 'isNotSet']) };
    if (chance(0.3)) return { field, op: pick(['is', 'isNot']), value };
    if (chance(0.3))
      return { field, op: 'isOneOf', values: times(1 + upTo(3), () => pick(values)) };
    if (field === 'prop:staff') return { field, op: 'is', value };
    if (typeof value === 'string' && chance(0.3)) {
      return { field, op: pick(['contains', 'beginsWith']), value: value.slice(0, 1 + upTo(3)) };
    }
    if (chance(0.3)) return { field, op: 'between', from: value, to: pick(values) };
    return { field, op: pick(['gt', 'gte', 'lt', 'lte']), value };
  }
  const several = (): object => ({
    [pick(['all', 'any'])]: times(1 + upTo(3), () =>
      chance(0.25) ? { [pick(['all', 'any'])]: times(1 + upTo(2), condition) } : condition(),
    ),
  });

  const TYPES: Record<string, (index: number) => unknown> = {
    boolean: (index) => index % 2 === 0,
    string: (index) => `text ${index} ${pick(PLANS)}`,
    number: (index) => index * 1.5 - 1,
    json: (index) => ({ index, list: [1, 'zwei', null], deep: { plan: pick(PLANS) } }),
  };

  return {
    flag: (key: string) => {
      const type = pick(Object.keys(TYPES));
      const variants = times(2 + upTo(3), (index) => ({
        name: `v${index}`,
        value: TYPES[type]?.(index),
      }));
      const variant = () => pick(variants).name;
      const rule = () => ({
        ...(chance(0.8) && { where: several() }),
        ...(chance(0.4) && { percent: upTo(10_001) / 100 }),
        ...(chance(0.4)
          ? { split: times(2 + upTo(3), () => ({ variant: variant(), weight: 1 + upTo(9) })) }
          : { variant: variant() }),
      });
      return {
        key,
        type,
        variants,
        isOn: chance(0.9),
        defaultVariant: variant(),
        offVariant: variant(),
        rules: times(upTo(6), rule),
      };
    },
    context: () => ({
      targetingKey: `person-${upTo(1_000_000)}`,
      ...(chance(0.8) && { platform: pick(PLATFORMS) }),
      ...(chance(0.8) && { appVersion: pick(VERSIONS) }),
      ...(chance(0.5) && { osVersion: pick(VERSIONS) }),
      ...(chance(0.7) && { country: pick(COUNTRIES) }),
      ...(chance(0.7) && { locale: pick(LOCALES) }),
      ...(chance(0.6) && { plan: pick(PLANS) }),
      ...(chance(0.6) && { age: pick([5, 18, 30, 65, '5']) }),
      ...(chance(0.5) && { staff: chance(0.5) }),
    }),
  };
}
