import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { LogWriter, type LogWriterOptions } from '../../../src/modules/logs/log-writer.ts';
import { type LogRecord, toRecord } from '../../../src/modules/logs/record.ts';
import { pause } from '../../support/pause.ts';
import { until } from '../../support/until.ts';

const AT = new Date('2026-11-21T08:00:00Z');
const say = (message: string, orgId = 'org_1'): LogRecord => toRecord(orgId, AT, { message });
const messageOf = (record: LogRecord) => JSON.parse(record.entry).message;

/** A table that can be taken away, refuses poison, and notes every batch. */
function createTable(options: Partial<LogWriterOptions> = {}) {
  const rows = new Map<string, string>();
  const batches: number[] = [];
  const state = { away: false, gate: Promise.resolve() };
  const book = new LogWriter({
    write: async (records) => {
      await state.gate;
      if (state.away) throw new Error('away');
      if (records.some((record) => messageOf(record) === 'poison')) throw new Error('refused');
      batches.push(records.length);
      for (const record of records) rows.set(record.id, messageOf(record));
    },
    isAway: (thrown) => thrown instanceof Error && thrown.message === 'away',
    log: pino({ level: 'silent' }),
    retryMs: 5,
    ...options,
  });
  return { book, rows, batches, state };
}

const eventually = (look: () => boolean) => until('it is so', look);

describe('LogWriter', () => {
  test('an entry is stored when append resolves', async () => {
    const { book, rows } = createTable();
    expect(await book.append(say('one'))).toBe('written');
    expect([...rows.values()]).toEqual(['one']);
    await book.close();
  });

  test('what arrives while a batch is on its way makes the next batch', async () => {
    const { book, rows, batches, state } = createTable();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const all = Array.from({ length: 2_500 }, (_, index) => book.append(say(String(index))));
    resolve();
    await Promise.all(all);
    expect(rows.size).toBe(2_500);
    expect(batches[0]).toBe(1);
    expect(batches.length).toBeLessThanOrEqual(4);
    await book.close();
  });

  test('a batch names no more people than are looked up in time', async () => {
    const { book, rows, batches, state } = createTable();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const userIds = Array.from({ length: 400 }, (_, n) => `user-${n}`);
    const named = (message: string) => toRecord('org_1', AT, { message, fields: { userIds } });
    const all = ['1', '2', '3', '4', '5'].map((text) => book.append(named(text)));
    resolve();
    await Promise.all(all);
    expect([rows.size, Math.max(...batches)]).toEqual([5, 2]);
    await book.close();
  });

  test('a write that looks up people has time for them', async () => {
    const { book, batches, state } = createTable({ writeLimitMs: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const fields = { userIds: Array.from({ length: 400 }, (_, n) => `user-${n}`) };
    const written = book.append(toRecord('org_1', AT, { message: '1', fields }));
    await pause(30, 'longer than other writes may take');
    resolve();
    await written;
    await book.close();
    expect(batches).toEqual([1]);
  });

  test('away: nobody waits, memory answers, and everything is written once it is back', async () => {
    const { book, rows, state } = createTable();
    state.away = true;
    expect(await book.append(say('1'))).toBe('waiting');
    expect(await book.append(say('2'))).toBe('waiting');
    expect(book.held('org_1').map(messageOf)).toEqual(['2', '1']);
    expect(rows.size).toBe(0);
    await book.flush();
    state.away = false;
    await eventually(() => rows.size === 2);
    await book.append(say('3'));
    expect([...rows.values()]).toEqual(['1', '2', '3']);
    expect(book.dropped('org_1')).toBe(0);
    await book.close();
  });

  test('away for long: the oldest are lost, counted for their organization only', async () => {
    const limits = { entriesPerOrg: 3, bytesPerOrg: 1e9, bytesInAll: 1e9 };
    const { book, rows, state } = createTable({ limits });
    state.away = true;
    for (const message of ['1', '2', '3', '4', '5']) await book.append(say(message));
    await book.append(say('other', 'org_2'));
    expect(book.dropped('org_1')).toBe(2);
    expect(book.dropped('org_2')).toBe(0);
    state.away = false;
    await eventually(() => rows.size === 4);
    expect([...rows.values()].toSorted()).toEqual(['3', '4', '5', 'other']);
    await book.close();
  });

  test('a record that the database refuses is counted and holds nobody up', async () => {
    const { book, rows } = createTable();
    const states = await Promise.all(
      ['a', 'poison', 'b'].map((message) => book.append(say(message))),
    );
    expect(states).toEqual(['written', 'dropped', 'written']);
    expect([...rows.values()].toSorted()).toEqual(['a', 'b']);
    expect(book.dropped('org_1')).toBe(1);
    await book.close();
  });

  test('a write that hangs holds nobody up, and is tried again', async () => {
    const { book, rows, state } = createTable({ writeLimitMs: 20 });
    const { promise: never } = Promise.withResolvers<void>();
    state.gate = never;
    await book.append(say('1'));
    await book.append(say('2'));
    expect(book.held('org_1').length).toBe(2);
    state.gate = Promise.resolve();
    await eventually(() => rows.size === 2);
    expect([...rows.values()]).toEqual(['1', '2']);
    await book.close();
  });

  test('closing writes what is held', async () => {
    const { book, rows, state } = createTable();
    state.away = true;
    await book.append(say('held'));
    state.away = false;
    await book.close();
    expect([...rows.values()]).toEqual(['held']);
  });

  test('closing with the database away ends all the same', async () => {
    const { book, state } = createTable();
    state.away = true;
    await book.append(say('lost'));
    await book.close(50);
    expect(book.held('org_1').length).toBe(1);
  });
});
