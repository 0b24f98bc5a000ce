import { describe, expect, test } from 'bun:test';
import { importedRows } from '../../../src/event-store/imports/imported-rows.ts';
import { byReceipt, type KnownFacts, resolveRows } from '../../../src/event-store/event/resolve.ts';
import { countIngestion } from '../../../src/event-store/intake/counts.ts';
import { row } from '../../support/events.ts';

const NOTHING: KnownFacts = {
  keys: new Set(),
  userOf: () => undefined,
  isErased: () => false,
  erasedAtMs: () => undefined,
  isDeleted: () => false,
  isUndone: () => false,
};

const key = (n: number) => String(n).padStart(32, '0');

test('the order of receipt is that of arrival, and within a batch of the place in it', () => {
  const [first, second, third, fourth] = [
    row({ arrival: 1, batchIndex: 7 }),
    row({ arrival: 2, batchIndex: 0 }),
    row({ arrival: 2, batchIndex: 1 }),
    row({ arrival: 3, batchIndex: 0 }),
  ] as const;
  const inOrder = [first, second, third, fourth];
  for (const rows of [
    [fourth, third, second, first],
    [third, first, fourth, second],
  ]) {
    expect(rows.toSorted(byReceipt)).toEqual(inOrder);
  }
});

describe('new rows', () => {
  test('are kept once, the first by receipt, and rows without identity all', () => {
    const rows = [row({ key: key(1) }), row({ key: key(1), batchIndex: 1 }), row(), row()];
    const resolved = resolveRows(rows, NOTHING);
    expect(resolved.rows).toEqual([rows[0]!, rows[2]!, rows[3]!]);
    expect(resolved.duplicates).toEqual([rows[1]!]);
  });

  test('are dropped when they are stored already', () => {
    const known = { ...NOTHING, keys: new Set([key(1)]) };
    const resolved = resolveRows([row({ key: key(1) }), row({ key: key(2) })], known);
    expect(resolved.rows.map((one) => one.key)).toEqual([key(2)]);
  });

  test('belong to the user, also those before the sign-in', () => {
    const rows = [row(), row({ userId: 'ann' }), row(), row({ anonymousId: 'anon-0002' })];
    const { rows: settled, aliases } = resolveRows(rows, NOTHING);
    expect(settled.map((one) => one.personId)).toEqual(['ann', 'ann', 'ann', 'anon-0002']);
    expect(aliases).toMatchObject([{ anonymousId: 'anon-0001', userId: 'ann' }]);
  });

  test('map an anonymous id to its first user only', () => {
    const rows = [row({ userId: 'ann' }), row({ userId: 'bob' }), row()];
    const { rows: settled, aliases } = resolveRows(rows, NOTHING);
    expect(settled.map((one) => one.personId)).toEqual(['ann', 'bob', 'ann']);
    expect(aliases).toHaveLength(1);
  });

  test('follow the mapping that is there, and make no second one', () => {
    const known = { ...NOTHING, userOf: () => 'first' };
    const { rows: settled, aliases } = resolveRows([row({ userId: 'second' }), row()], known);
    expect(settled.map((one) => one.personId)).toEqual(['second', 'first']);
    expect(aliases).toEqual([]);
  });

  test('of a resent event make no mapping', () => {
    const known = { ...NOTHING, keys: new Set([key(1)]) };
    expect(resolveRows([row({ key: key(1), userId: 'ann' })], known).aliases).toEqual([]);
  });

  test('of a deleted app are dropped', () => {
    expect(resolveRows([row()], { ...NOTHING, isDeleted: () => true }).rows).toEqual([]);
  });

  test('of an erased person are dropped, by user, anonymous id or mapping', () => {
    const isErased = (_: string, id: string) => id === 'ann' || id === 'anon-0001';
    const known = {
      ...NOTHING,
      isErased,
      userOf: (_: string, id: string) => (id === 'anon-0003' ? 'ann' : undefined),
    };
    const rows = [
      row({ anonymousId: 'anon-0002', userId: 'ann' }),
      row(),
      row({ anonymousId: 'anon-0003' }),
      row({ userId: 'bob' }),
      row({ anonymousId: 'anon-0002' }),
    ];
    const resolved = resolveRows(rows, known);
    expect(resolved.rows).toEqual([rows[3]!, rows[4]!]);
    // The erased anonymous id is not handed to the next user of the device.
    expect(resolved.aliases).toEqual([]);
  });

  test('of one app never touch those of another', () => {
    const rows = [row({ userId: 'ann' }), row({ appId: 'app_2' })];
    expect(resolveRows(rows, NOTHING).rows.map((one) => one.personId)).toEqual([
      'ann',
      'anon-0001',
    ]);
  });
});

describe('counts of what arrived', () => {
  test('are by app and hour, corrected times and resent events apart', () => {
    const hour = 3_600_000_000;
    const received = [
      row({ receivedAtUs: 10 * hour }),
      row({ receivedAtUs: 11 * hour - 1, timeFlag: 'shifted' }),
      row({ receivedAtUs: 11 * hour, timeFlag: 'no_ts' }),
      row({ receivedAtUs: 11 * hour, timeFlag: 'too_old', appId: 'app_2' }),
      row({ receivedAtUs: 11 * hour, name: '$exposure' }),
    ];
    const development = { accepted: 0, duplicates: 0, corrected: 0 };
    const zero = { duplicates: 0, shifted: 0, withoutTs: 0, tooOld: 0, development };
    expect(countIngestion(received, [received[0]!, received[4]!], importedRows([]))).toEqual([
      {
        orgId: 'org_1',
        appId: 'app_1',
        hourMs: 36_000_000,
        ...zero,
        accepted: 2,
        shifted: 1,
        duplicates: 1,
      },
      { orgId: 'org_1', appId: 'app_1', hourMs: 39_600_000, ...zero, accepted: 1, withoutTs: 1 },
      { orgId: 'org_1', appId: 'app_2', hourMs: 39_600_000, ...zero, accepted: 1, tooOld: 1 },
    ]);
  });

  test('keep development by itself', () => {
    const environment = 'development' as const;
    const received = [
      row(),
      row({ environment }),
      row({ environment, timeFlag: 'shifted' }),
      row({ environment }),
    ];
    const [count] = countIngestion(received, [received[3]!], importedRows([]));
    expect(count).toMatchObject({ accepted: 1, duplicates: 0, shifted: 0 });
    expect(count?.development).toEqual({ accepted: 3, duplicates: 1, corrected: 1 });
  });
});
