import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventRelation, rawEvents } from '../../../src/query/reading/duckdb/relation.ts';
import { type EventSource, selectEvents } from '../../../src/query/reading/source/events.ts';
import { eventRow, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

async function persons(source: Partial<EventSource>, names?: string[]): Promise<unknown[]> {
  return duck.query(source, async (connection, whole) => {
    const relation = eventRelation(selectEvents(whole, names ? { names } : {}), ['name']);
    const rows = await (
      await connection.run(`SELECT name, person FROM ${relation} ORDER BY name, person`)
    ).getRows();
    return rows.map(([name, person]) => `${name} ${person}`);
  });
}

describe('the events of a query', () => {
  const rows = [
    eventRow({ name: 'a', anonymousId: 'anon-1' }),
    eventRow({ name: 'b', anonymousId: 'anon-1', userId: 'anon-2' }),
    eventRow({ name: 'c', anonymousId: 'anon-2' }),
    eventRow({ name: 'd', anonymousId: 'anon-3', userId: 'kim' }),
    eventRow({ name: 'e', anonymousId: 'anon-4', appId: 'app_other' }),
    eventRow({ name: 'f', anonymousId: 'anon-5', orgId: 'org_other' }),
  ];

  test('come from files and log alike, of one app of one organization', async () => {
    const expected = ['a anon-1', 'b anon-2', 'c anon-2', 'd kim'];
    expect(await persons({ hotRows: rows })).toEqual(expected);
    expect(await persons({ files: [await duck.writeFile(rows)] })).toEqual(expected);
    const half = await duck.writeFile(rows.slice(0, 2));
    expect(await persons({ files: [half], hotRows: rows.slice(2) })).toEqual(expected);
  });

  test('are those asked for', async () => {
    expect(await persons({ hotRows: rows }, ['a', 'd'])).toEqual(['a anon-1', 'd kim']);
  });

  test('belong to the user that their device was mapped to later, unless they name one', async () => {
    const lateAliases = [
      { anonymousId: 'anon-1', userId: 'ann' },
      { anonymousId: 'anon-2', userId: 'bob' },
      { anonymousId: 'kim', userId: 'nobody' },
    ];
    const files = [await duck.writeFile(rows)];
    // `b` names the user `anon-2`, who only shares a spelling with the device `anon-2`.
    expect(await persons({ files, lateAliases })).toEqual(['a ann', 'b anon-2', 'c bob', 'd kim']);
  });

  test('come from files of every format and level, within the window', async () => {
    const at = (ms: number) => eventRow({ name: `at-${ms}`, occurredAtUs: ms * 1_000 });
    const [early, middle, late] = [[at(1), at(2)], [at(4)], [at(8), at(9)]];
    const files = [
      await duck.writeFile([...early, eventRow({ name: 'x', appId: 'app_other' })]),
      await duck.writeFile(middle, { level: 1 }),
      await duck.writeFile(late, { level: 1, format: 1 }),
    ];
    const names = await duck.query({ files, hotRows: [at(3), at(10)] }, async (connection, all) => {
      const from = rawEvents(selectEvents(all, { fromUs: 2_000, beforeUs: 9_000 }), [
        'name',
        'person_key',
      ]);
      const result = await connection.run(
        `SELECT name FROM ${from} WHERE person_key = md5('anonymous')::UUID ORDER BY name`,
      );
      return (await result.getRows()).flat();
    });
    expect(names).toEqual(['at-2', 'at-3', 'at-4', 'at-8']);
  });

  test('of clients leave out what the service writes itself', async () => {
    const mixed = [eventRow({ name: '$exposure' }), eventRow({ name: 'a' })];
    const files = [
      await duck.writeFile(mixed),
      await duck.writeFile(mixed, { level: 1 }),
      await duck.writeFile([eventRow({ name: 'b' })], { level: 1 }),
    ];
    const names = await duck.query({ files, hotRows: mixed }, async (connection, all) => {
      const from = rawEvents(selectEvents(all, { ofClients: true }), ['name']);
      const result = await connection.run(`SELECT name FROM ${from} ORDER BY name`);
      return (await result.getRows()).flat();
    });
    expect(names).toEqual(['a', 'a', 'a', 'b']);
  });

  test('leave out who was erased, by person, device or the user of a device', async () => {
    const files = [await duck.writeFile(rows)];
    expect(await persons({ files, erased: ['kim'] })).toEqual(['a anon-1', 'b anon-2', 'c anon-2']);
    expect(await persons({ files, erased: ['anon-1'] })).toEqual(['b anon-2', 'c anon-2', 'd kim']);
    const lateAliases = [{ anonymousId: 'anon-1', userId: 'ann' }];
    expect(await persons({ files, lateAliases, erased: ['ann'] })).toEqual([
      'b anon-2',
      'c anon-2',
      'd kim',
    ]);
  });
});
