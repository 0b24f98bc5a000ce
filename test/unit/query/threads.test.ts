import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { openProjection } from '../../../src/event-store/projection/open.ts';
import { PeopleByRange } from '../../../src/query/reading/projection/people.ts';
import { Turns } from '../../../src/query/reading/projection/turns.ts';
import type { EventFile } from '../../../src/query/reading/source/events.ts';
import {
  type CountingOptions,
  CountingThreads,
} from '../../../src/query/reading/threads/threads.ts';
import { withinTime } from '../../../src/shared/pace.ts';
import { countTogether } from '../../../src/query/reading/threads/together.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';

let duck: TestDuck;
const started: CountingThreads[] = [];
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(async () => {
  await Promise.all(started.map((threads) => threads.stop()));
  duck.close();
});

const PEOPLE = 300;
const rows = Array.from({ length: 2 * PEOPLE }, (_, n) =>
  eventRow({ name: 'opened', anonymousId: `device-${n % PEOPLE}`, occurredAtUs: n }),
);
const RANGES = { entriesAtOnce: 10, minRanges: 1 };
const DYING = new URL('../../support/dying-thread.ts', import.meta.url);

async function start(options: Omit<CountingOptions, 'threads'>): Promise<CountingThreads> {
  const threads = new CountingThreads({ threads: 2, ...options });
  started.push(threads);
  await threads.ready();
  return threads;
}

const people = (file: EventFile, threads: CountingThreads, beforeUs = 10_000) =>
  duck.query({ files: [file] }, async (connection, source) => {
    const question = { orgId: ORG, appId: APP, fromUs: 0, beforeUs, limit: 5 };
    const answer = await countOver(connection, source, 'summary', question, threads);
    return [answer.people, answer.names[0]?.people];
  });

describe('a thread that helps counting', () => {
  test('is waited for until the limit', async () => {
    const checkTime = () => {
      throw new Error('the limit');
    };
    await expect(withinTime(new Promise(() => undefined), checkTime)).rejects.toThrow('the limit');
    expect(await withinTime(Promise.resolve('counted'), checkTime)).toBe('counted');
  });

  test('counts what it is left, and the next question too', async () => {
    const threads = await start({ ...RANGES, helpersFirst: true });
    const file = await duck.writeFile(rows, { level: 1 });
    expect(await people(file, threads)).toEqual([PEOPLE, PEOPLE]);
    expect(await people(file, threads)).toEqual([PEOPLE, PEOPLE]);
  });

  test('leaves a file that is gone from the host to who has it open', async () => {
    const threads = await start({ ...RANGES, helpersFirst: true });
    const file = await duck.writeFile(rows, { level: 1 });
    rmSync(`${file.path}.projection`);
    expect(openProjection(`${file.path}.projection`)).toBeNull();
    expect(await people(file, threads)).toEqual([PEOPLE, PEOPLE]);
  });

  test('is not asked where one range is all there is', async () => {
    const threads = await start({ entry: DYING });
    const file = await duck.writeFile(rows, { level: 1 });
    expect(await people(file, threads)).toEqual([PEOPLE, PEOPLE]);
  });

  test('fails the question when it ends, is not waited for, and is replaced', async () => {
    const file = await duck.writeFile(rows, { level: 1 });
    const later = await start({ ...RANGES, entry: DYING, restartMs: 3_600_000 });
    await expect(people(file, later)).rejects.toMatchObject({ kind: 'stopped' });
    expect(await people(file, later)).toEqual([PEOPLE, PEOPLE]);
    const atOnce = await start({ ...RANGES, entry: DYING, restartMs: 0 });
    await expect(people(file, atOnce)).rejects.toMatchObject({ kind: 'stopped' });
    await atOnce.ready();
    await expect(people(file, atOnce)).rejects.toMatchObject({ kind: 'stopped' });
  });

  test('that ends in the middle of a question leaves it whole or without an answer', async () => {
    const file = await duck.writeFile(rows, { level: 1 });
    const entry = new URL('../../support/random-death-thread.ts', import.meta.url);
    const threads = await start({ ...RANGES, entriesAtOnce: 1, entry, restartMs: 0 });
    const faults = new Set<string>();
    for (let asked = 0; asked < (isFullRun ? 2_000 : 60); asked += 1) {
      if (asked % 3 === 0) await threads.ready();
      const found = await people(file, threads).catch(({ kind }: { kind: string }) => kind);
      if (typeof found === 'string') faults.add(found);
      else expect(found).toEqual([PEOPLE, PEOPLE]);
    }
    expect([...faults]).toEqual(['stopped']);
  });

  test('is left out by questions that find it busy: sixteen at once are answered as each alone', async () => {
    const threads = await start(RANGES);
    const file = await duck.writeFile(rows, { level: 1 });
    const questions = Array.from({ length: 16 }, (_, n) => 10_000 + n);
    const answers = await Promise.all(questions.map((before) => people(file, threads, before)));
    expect(answers).toEqual(questions.map(() => [PEOPLE, PEOPLE]));
  });

  test('takes no range of a question that has failed', async () => {
    const turns = new Turns();
    const stitched = { count: 0, keys: new Uint32Array(), userOf: new Int32Array() };
    const ranges = { stitched, count: 9, turns };
    const counter = {
      people: new PeopleByRange([], ranges),
      countRange: () => {
        throw new Error('a fault');
      },
      countStitched: () => {},
      state: () => ({ sums: [], lists: [], bits: [] }),
    };
    const share = { parts: [], members: {}, environment: 'production' as const, ranges };
    const question = { names: [], platforms: [], versions: [], noPlatform: '', noVersion: '' };
    const asked = { task: { kind: 'summary' as const, question }, share };
    const counting = { checkTime: () => {}, threads: null };
    await expect(countTogether(counter, asked, counting)).rejects.toThrow('a fault');
    expect(new PeopleByRange([], ranges).next()).toBe(false);
  });
});
