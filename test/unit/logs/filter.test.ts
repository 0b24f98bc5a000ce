import { describe, expect, test } from 'bun:test';
import { matches, toFilter } from '../../../src/modules/logs/filter.ts';
import type { LogQuery } from '../../../src/modules/logs/model.ts';
import { toRecord } from '../../../src/modules/logs/record.ts';

const AT = new Date('2026-11-21T08:00:00.500Z');
const record = toRecord('org_1', AT, {
  level: 'warn',
  message: 'Slow Report',
  service: 'api',
  fields: { env: 'prod', requestId: 'r1' },
});
const hit = (query: LogQuery, orgId = 'org_1') => matches(toFilter(orgId, query), record);

describe('matches', () => {
  test.each<[LogQuery, boolean]>([
    [{}, true],
    [{ resource: 'api' }, true],
    [{ resource: 'ap' }, false],
    [{ level: 'warn' }, true],
    [{ level: 'error' }, false],
    [{ env: 'prod' }, true],
    [{ env: 'dev' }, false],
    [{ requestId: 'r1' }, true],
    [{ requestId: 'r2' }, false],
    [{ q: 'slow rep' }, true],
    [{ q: 'SLOW' }, true],
    [{ q: 'env prod' }, true],
    [{ q: '%' }, false],
    [{ q: '' }, true],
    [{ since: AT.getTime() }, true],
    [{ since: AT.getTime() + 1 }, false],
    [{ since: AT.getTime() - 0.5 }, true],
    [{ until: AT.getTime() }, true],
    [{ until: AT.getTime() - 1 }, false],
    [{ since: -1e300, until: 1e300 }, true],
  ])('%p: %p', (query, expected) => {
    expect(hit(query)).toBe(expected);
  });

  test('never across organizations', () => {
    expect(hit({}, 'org_2')).toBe(false);
  });
});

test('bounds beyond what PostgreSQL and Date have in common are clamped', () => {
  const { since, until } = toFilter('org_1', { since: -1e300, until: 1e300 });
  expect([since, until]).toEqual([new Date('1901-01-01'), new Date('9999-12-31')]);
});

test('a page has 100 entries when nobody says', () => {
  expect(toFilter('org_1', {}).limit).toBe(100);
  expect(toFilter('org_1', { limit: 7 }).limit).toBe(7);
});
