import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  newestFiles,
  type ReceiptBounds,
} from '../../../src/event-store/catalogue/event-sources.ts';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import type { QueryEngine } from '../../../src/query/engine.ts';
import type { AnswerOf } from '../../../src/query/kinds.ts';
import type { EventFile, EventSource } from '../../../src/query/reading/source/events.ts';
import { answerHere } from '../../../src/query/server.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { APP, countOver, eventRow, ORG, runOver, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

/** Event `n` was received in hour `n`. */
const received = (n: number, fields: Partial<EventRow> = {}): EventRow => {
  const receivedAtUs = n * HOUR_MS * 1_000;
  return eventRow({ name: `event_${n}`, receivedAtUs, arrival: receivedAtUs, ...fields });
};

/** A file for each list of rows, and the engine that reads those which a window asks for. */
async function engineOver(lists: EventRow[][], source: Partial<EventSource> = {}) {
  const asked: (number | undefined)[] = [];
  const files: (EventFile & ReceiptBounds)[] = [];
  for (const rows of lists) {
    const hours = rows.map((row) => row.receivedAtUs / 1_000);
    files.push({
      ...(await duck.writeFile(rows)),
      rows: rows.length,
      minReceivedAt: new Date(Math.min(...hours)),
      maxReceivedAt: new Date(Math.max(...hours)),
    });
  }
  const engine: Pick<QueryEngine, 'run'> = {
    run: (selection, _needs, use) => {
      const { newest } = selection;
      asked.push(newest);
      const some = newest === undefined ? files : newestFiles(files, newest);
      return duck.query({ ...source, files: some }, (connection, whole) =>
        use(runOver(connection, whole, selection)),
      );
    },
  };
  return { engine, asked };
}

const QUESTION = { orgId: ORG, appId: APP, beforeUs: 10 ** 15, limit: 2, filters: {} };
const namesOf = (answer: AnswerOf<'recent'>) => answer.events.map((one) => one.name);

describe('the events received last', () => {
  test('come from the log and the newest files', async () => {
    const lists = Array.from({ length: 20 }, (_, n) => [received(n)]);
    const { engine, asked } = await engineOver(lists, { hotRows: [received(20)] });
    expect(namesOf(await answerHere(engine, 'recent', QUESTION))).toEqual(['event_20', 'event_19']);
    expect(asked).toEqual([8]);
  });

  test('are looked for further back when the newest are not to be shown', async () => {
    const own = Array.from({ length: 10 }, (_, n) => received(5 + n, { name: '$exposure' }));
    const { engine, asked } = await engineOver([[received(1)], [received(2)], own]);
    expect(namesOf(await answerHere(engine, 'recent', QUESTION))).toEqual(['event_2', 'event_1']);
    expect(asked).toEqual([8, 512]);
  });

  test('are all there are when those are few', async () => {
    const { engine, asked } = await engineOver([[received(1)]]);
    expect(namesOf(await answerHere(engine, 'recent', QUESTION))).toEqual(['event_1']);
    expect(asked).toEqual([8, 512, undefined]);
  });
});

describe('the events of one person', () => {
  test('are found under every id that they go by', async () => {
    const rows = [
      received(1, { anonymousId: 'device-1' }),
      received(2, { anonymousId: 'device-2' }),
      received(3, { anonymousId: 'device-3', userId: 'ann' }),
      received(4, { anonymousId: 'device-4', personId: 'ann' }),
      received(5, { anonymousId: 'device-5', userId: 'device-1' }),
    ];
    const source = {
      files: [await duck.writeFile(rows)],
      hotRows: [received(6, { anonymousId: 'device-1' })],
      lateAliases: [{ anonymousId: 'device-1', userId: 'ann' }],
    };
    const eventsOf = (...personIds: string[]) =>
      duck.query(source, async (connection, whole) => {
        const question = { ...QUESTION, personIds, after: null, limit: 10 };
        const { events } = await countOver(connection, whole, 'person', question);
        return events.map((one) => one.name);
      });
    expect(await eventsOf('ann')).toEqual(['event_1', 'event_3', 'event_4', 'event_6']);
    expect(await eventsOf('device-1')).toEqual(['event_5']);
    expect(await eventsOf('device-2')).toEqual(['event_2']);
    const all = ['event_1', 'event_3', 'event_4', 'event_5', 'event_6'];
    expect(await eventsOf('device-1', 'ann')).toEqual(all);
  });
});
