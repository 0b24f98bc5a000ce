import { describe, expect, test } from 'bun:test';
import { whyTaken } from '../../../src/console/parts/chips/dimension-groups.ts';
import {
  dimensionOf,
  type Filter,
  filterQuery,
  filtersOf,
  withFilter,
} from '../../../src/console/state/filter-rules.ts';
import {
  dimensionLabel,
  mergedProperties,
  valueLabel,
} from '../../../src/console/state/sent-values.ts';
import { versionDays } from '../../../src/console/state/version-days.ts';

const filter = (dimension: Filter['dimension'], value: string): Filter => ({
  dimension,
  operator: 'is',
  value,
});

describe('filters', () => {
  test('stand in the address by the parameters of the API', () => {
    const parameters = { country: 'DE', platform: 'ios', property: 'plan=a=b', days: '7' };
    const filters = filtersOf(parameters);
    expect(filters).toEqual([
      filter('platform', 'ios'),
      filter('country', 'DE'),
      filter('prop:plan', 'a=b'),
    ]);
    expect(filterQuery(filters)).toEqual({ country: 'DE', platform: 'ios', property: 'plan=a=b' });
  });

  test('an empty value of a property is a value, a property without a name is none', () => {
    expect(filtersOf({ property: 'plan=' })).toEqual([filter('prop:plan', '')]);
    expect(filtersOf({ property: '=x' })).toEqual([]);
    expect(filtersOf({ property: 'plan' })).toEqual([]);
  });

  test('a field has one value, and there is one property, as routes take them', () => {
    const filters = [filter('platform', 'ios'), filter('prop:plan', 'year')];
    expect(withFilter(filters, filter('platform', 'web'))).toEqual([
      filter('prop:plan', 'year'),
      filter('platform', 'web'),
    ]);
    expect(withFilter(filters, filter('prop:source', 'ad'))).toEqual([
      filter('platform', 'ios'),
      filter('prop:source', 'ad'),
    ]);
  });

  test('a dimension is a field, the arm or a property', () => {
    expect(['platform', 'arm', 'prop:plan', 'prop:', 'device', ''].map(dimensionOf)).toEqual([
      'platform',
      'arm',
      'prop:plan',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('dimensions and values are named as a reader knows them', () => {
  expect(dimensionLabel('appVersion')).toBe('Version');
  expect(dimensionLabel('prop:plan')).toBe('plan');
  expect(valueLabel('platform', 'ios')).toBe('iOS');
  expect(valueLabel('country', 'DE')).toBe('Germany');
  expect(valueLabel('country', 'not a country')).toBe('not a country');
  expect(valueLabel('appVersion', 'unknown')).toBe('Unknown');
});

test('properties of several events are one list, the most frequent first', () => {
  const merged = mergedProperties([
    [
      { name: 'source', events: 5, values: [{ value: 'ad', events: 5 }] },
      { name: 'plan', events: 4, values: [{ value: 'year', events: 1 }] },
    ],
    [{ name: 'plan', events: 3, values: [{ value: 'month', events: 3 }] }],
  ]);
  expect(merged.map(({ dimension }) => dimension)).toEqual(['prop:plan', 'prop:source']);
  expect(merged[0]?.values.map(({ value }) => value)).toEqual(['month', 'year']);
});

describe('versions as ranges', () => {
  const version = (appVersion: string, day: string) => ({ kind: 'version', appVersion, day });
  const shown = (marks: Parameters<typeof versionDays>[0]) =>
    versionDays(marks, '2026-11-23').map(
      (one) => `${one.version} ${one.from} ${one.to}${one.isLast ? ' since' : ''}`,
    );

  test('each lasts until the day before the next one, the last until yesterday', () => {
    const marks = [
      version('2.4.1', '2026-11-14'),
      { kind: 'price', day: '2026-11-02' },
      version('2.4.0', '2026-11-07'),
    ];
    expect(shown(marks)).toEqual([
      '2.4.0 2026-11-07 2026-11-13',
      '2.4.1 2026-11-14 2026-11-22 since',
    ]);
  });

  test('of two on one day the later counts, and three are shown', () => {
    const marks = [
      version('1.0', '2026-09-01'),
      version('1.1', '2026-10-01'),
      version('1.2', '2026-11-01'),
      version('1.3', '2026-11-01'),
      version('1.4', '2026-11-22'),
    ];
    expect(shown(marks)).toEqual([
      '1.1 2026-10-01 2026-10-31',
      '1.3 2026-11-01 2026-11-21',
      '1.4 2026-11-22 2026-11-22 since',
    ]);
  });

  test('there are none without marks', () => {
    expect(shown([])).toEqual([]);
  });
});

test('a field that has a condition says why it takes no other, but the one that is changed', () => {
  const taken = ['platform', 'prop:plan'] as const;
  expect(whyTaken('country', taken)).toBeUndefined();
  expect(whyTaken('platform', taken)).toBe('taken');
  expect(whyTaken('platform', taken, 'platform')).toBeUndefined();
  expect(whyTaken('prop:list', taken)).toBe('oneProperty');
  expect(whyTaken('prop:list', taken, 'prop:plan')).toBeUndefined();
  expect(whyTaken('prop:list')).toBeUndefined();
});
