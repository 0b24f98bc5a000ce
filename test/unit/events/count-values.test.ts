import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { parseCounts } from '../../../src/event-store/file/range-counts.ts';
import { eventRow, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const countsOf = async (rows: readonly EventRow[]) =>
  (await duck.writeFile(rows, { level: 1 })).counts;

describe('the counts of a file', () => {
  test('tell how many events have each value, and when the first and last occurred', async () => {
    const rows = [
      eventRow({ name: 'open', platform: 'ios', appVersion: '1.0', occurredAtUs: 7 }),
      eventRow({ name: 'open', platform: 'ios', appVersion: '1.1', occurredAtUs: 3 }),
      eventRow({ name: 'buy', platform: null, appVersion: null, occurredAtUs: 12 }),
    ];
    expect(await countsOf(rows)).toEqual({
      names: [
        ['open', 2],
        ['buy', 1],
      ],
      platforms: [
        ['ios', 2],
        [null, 1],
      ],
      versions: [
        ['1.0', 1],
        ['1.1', 1],
        [null, 1],
      ],
      firstAtUs: 3,
      lastAtUs: 12,
      reserved: 0,
    });
  });

  test('number the events of the service itself and count nothing else of them', async () => {
    const own = eventRow({ name: '$exposure', platform: 'web', occurredAtUs: 1 });
    expect(await countsOf([own, own])).toEqual({
      names: [],
      platforms: [],
      versions: [],
      firstAtUs: null,
      lastAtUs: null,
      reserved: 2,
    });
  });

  test('are not kept of a file with too many values', async () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, n) => eventRow({ name: `event_${n}` }));
    expect((await countsOf(named(1_000)))?.names).toHaveLength(1_000);
    expect(await countsOf(named(1_001))).toBeNull();
  });

  test('survive the catalogue, whatever a client called its events', async () => {
    const odd = ['"', '\\', '\u0000', '\ud800', '__proto__', '😀'];
    const counts = await countsOf(odd.slice(0, 1).map((name) => eventRow({ name })));
    const said = { ...counts!, names: odd.map((name): [string, number] => [name, 1]) };
    expect(parseCounts(JSON.stringify(said))).toEqual(said);
    expect(parseCounts(null)).toBeNull();
    expect(() => parseCounts('{"names": [["open", -1]]}')).toThrow('counts of an event file');
  });
});
