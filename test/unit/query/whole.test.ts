import { afterAll, describe, expect, test } from 'bun:test';
import { readBuilt } from '../../../src/event-store/projection/column.ts';
import { FileRows } from '../../../src/event-store/projection/file-rows.ts';
import { FileUses } from '../../../src/event-store/sums/file-uses.ts';
import { QueryEngine } from '../../../src/query/engine.ts';
import { QueryFailure } from '../../../src/query/failure/failure.ts';
import type { QueryKind, QuestionOf } from '../../../src/query/kinds.ts';
import { PeopleByRange } from '../../../src/query/reading/projection/people.ts';
import type { EventFile } from '../../../src/query/reading/source/events.ts';
import { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import { countTogether, toShare } from '../../../src/query/reading/threads/together.ts';
import { answerHere } from '../../../src/query/server.ts';
import { must } from '../../../src/shared/assert.ts';
import { MissingRows } from '../../../src/storage/missing-rows.ts';
import { APP, eventRow, ORG, TestDuck } from '../../support/event-source.ts';

const duck = await TestDuck.open();
afterAll(() => duck.close());

const ROWS = 50;
const rowsOf = (developmentEvery = 2 * ROWS) =>
  Array.from({ length: ROWS }, (_, n) =>
    eventRow({
      name: 'opened',
      anonymousId: `device-${n}`,
      occurredAtUs: n * 1_000,
      environment: n % developmentEvery === developmentEvery - 1 ? 'development' : 'production',
      props: JSON.stringify({ page: n }),
    }),
  );

const snapshotOf = (files: EventFile[]) => async () => ({
  files: files.map((file) => ({
    ...{ ...file, firstRow: 0, minReceivedAt: new Date(0), maxReceivedAt: new Date(0) },
  })),
  hotRows: [eventRow({ name: 'opened', anonymousId: 'device-hot', occurredAtUs: 7 })],
  ...{ lateAliases: [], sharesIds: false, erased: [], erasedAs: new Map() },
  uses: new FileUses({ localPath: async (key) => key }, new Map()),
  dataThrough: new Date(42),
});

async function ask<K extends QueryKind>(files: EventFile[], kind: K, question: QuestionOf<K>) {
  const engine = new QueryEngine({
    ...{ duck: duck.duck, hot: { snapshot: snapshotOf(files) }, timeoutMs: 60_000 },
    onStuck: () => undefined,
  });
  let countedFrom = -1;
  const answer = await answerHere(engine, kind, question, (events) => {
    countedFrom = events;
  });
  return { answer, countedFrom };
}

const app = { orgId: ORG, appId: APP };
const SERIES: QuestionOf<'series'> = {
  ...{ ...app, names: null, breakdown: null, filters: {}, valuesFrom: 0 },
  ...{ boundariesUs: [0, ROWS * 1_000], ranges: [[0, 1]] },
};
const faultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (thrown: unknown) => thrown instanceof QueryFailure && thrown.kind,
  );

describe('a figure knows what it was counted from', () => {
  test.each([0, 1])('of files of level %d and of the log, before conditions', async (level) => {
    const file = await duck.writeFile(rowsOf(5), { level });
    const { answer, countedFrom } = await ask([file], 'series', SERIES);
    expect(countedFrom).toBe(41);
    expect(answer.total.events).toEqual([41]);
    const where = { all: [{ field: 'prop:page', op: 'lt', value: 3 } as const] };
    const few = await ask([file], 'series', { ...SERIES, where });
    expect(few.countedFrom).toBe(41);
    const all = await ask([file], 'series', { ...SERIES, environment: 'all' });
    expect(all.countedFrom).toBe(51);
  });

  test('a small file of fewer rows is an error, and is not kept', async () => {
    const file = await duck.writeFile(rowsOf());
    const short = { ...file, rows: ROWS + 1 };
    for (const _ of [1, 2])
      expect(await faultOf(ask([short], 'series', SERIES))).toBe('incomplete');
    const { answer } = await ask([file], 'series', SERIES);
    expect(answer.total.events).toEqual([ROWS + 1]);
  });

  test('so is one that DuckDB counts', async () => {
    const file = await duck.writeFile(rowsOf());
    const short = { ...file, rows: 70_000 };
    for (const _ of [1, 2])
      expect(await faultOf(ask([short], 'series', SERIES))).toBe('incomplete');
    const summary = { ...app, fromUs: 0, beforeUs: 1, limit: 1 };
    expect(await faultOf(ask([short], 'summary', summary))).toBe('incomplete');
  });

  test('so are people whom no thread has counted', async () => {
    const rows = new FileRows();
    const sender = { platform: null, version: null, country: null };
    const row = { isAnonymous: true, name: 'opened', isDevelopment: false, timeUs: 0, sender };
    for (let n = 0; n < ROWS; n += 1) rows.add({ ...row, key: [n * 2 ** 25, n, n, n] });
    const projection = readBuilt(must(rows.project(), 'a projection'));
    const threads = new CountingThreads({ threads: 1, entriesAtOnce: 10 });
    const lossy = Object.assign(threads, {
      help: (request: () => { turns: Int32Array }) => {
        Atomics.add(request().turns, 0, 1);
        return [Promise.resolve({ sums: [], lists: [], bits: [], dealt: 0 })];
      },
    });
    const source = { ...app, environment: 'production' as const, lateAliases: [] };
    const share = toShare([{ projection, file: null }], { source, threads: lossy });
    const people = new PeopleByRange([projection], share.ranges);
    const counter = {
      ...{ people, countRange: () => undefined, countStitched: () => undefined },
      state: () => ({ sums: [], lists: [], bits: [] }),
    };
    const task = { kind: 'series' as const, question: {} as never };
    const counting = { checkTime: () => undefined, threads: lossy };
    const counted = countTogether(counter, { task, share }, counting);
    await expect(counted).rejects.toBeInstanceOf(MissingRows);
  });
});
