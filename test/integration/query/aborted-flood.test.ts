import { expect, test } from 'bun:test';
import { heapStats } from 'bun:jsc';
import { residentMb } from '../../support/memory.ts';
import { pause } from '../../support/pause.ts';
import { compactEverything } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { questionsOf } from '../../support/whole-questions.ts';
import { EVENT_DAYS, startWholeService } from '../../support/whole-service.ts';

/*
 * Two hundred requests a second that are left at a random instant, beside sixteen readers who ask
 * some of the same: each reads what an undisturbed process says, and nothing of the others stays.
 */
const SECONDS = Number(process.env.TEST_FLOOD_SECONDS ?? (isFullRun ? 60 : 1));
const A_SECOND = 200;
const READERS = 16;
/** With four of the flood waiting, most of the twenty places are left to readers. */
const LONGEST_WAIT_MS = 40;
const EVENTS = isFullRun ? 16_000 : 2_000;
const QUESTIONS = isFullRun ? 64 : 8;

const { deps, storeEvents, ask, send, startProcess } = await startWholeService(EVENTS / 5);

/** What a request leaves behind if anything does. */
const KINDS = ['AbortSignal', 'AbortController', 'Request', 'Response', 'Promise'];
function countObjects(): number {
  Bun.gc(true);
  const { objectTypeCounts } = heapStats();
  return KINDS.reduce((sum, kind) => sum + (objectTypeCounts[kind] ?? 0), 0);
}

test('a flood of aborted requests spoils no figure, fails nothing and leaves nothing', async () => {
  await storeEvents(0, EVENTS - 1_000);
  await compactEverything(deps);
  await storeEvents(EVENTS - 1_000, EVENTS);
  const child = await startProcess();
  const questions = questionsOf(QUESTIONS, EVENT_DAYS);
  const expected: (string | null)[] = [];
  const durationsMs: number[] = [];
  for (const asked of questions) {
    const startedMs = performance.now();
    expected.push(await ask(asked));
    durationsMs.push(performance.now() - startedMs);
  }
  expect(expected).not.toContain(null);

  const random = randomFrom(58);
  const anIndex = () => Math.floor(random() * QUESTIONS);
  const counts = { left: 0, whole: 0, unavailable: 0, read: 0, readNothing: 0 };
  const check = async (index: number, signal?: AbortSignal) => {
    const found = await ask(questions[index]!, signal);
    if (found !== null) expect([index, found]).toEqual([index, expected[index]!]);
    return found;
  };
  const leave = async () => {
    const index = anIndex();
    const longestMs = Math.min(1.2 * durationsMs[index]!, LONGEST_WAIT_MS);
    const signal = AbortSignal.timeout(Math.ceil(random() * longestMs));
    try {
      const found = await check(index, signal);
      counts[found === null ? 'unavailable' : 'whole'] += 1;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      counts.left += 1;
    }
  };
  const flood = async (requests: number) => {
    const startedMs = performance.now();
    const sent: Promise<void>[] = [];
    let isOver = false;
    const read = async () => {
      while (!isOver || counts.read === 0) {
        const found = await check(anIndex());
        counts[found === null ? 'readNothing' : 'read'] += 1;
      }
    };
    const readers = Promise.all(Array.from({ length: READERS }, read));
    for (let n = 0; n < requests; n += 1) {
      const earlyMs = startedMs + (n * 1_000) / A_SECOND - performance.now();
      if (earlyMs > 0) await pause(earlyMs, 'the pace of the flood');
      sent.push(leave());
    }
    await Promise.all(sent);
    const seconds = (performance.now() - startedMs) / 1_000;
    isOver = true;
    await readers;
    return {
      seconds,
      objects: countObjects(),
      ownMb: residentMb('self'),
      mb: residentMb(child.pid),
    };
  };
  const half = (SECONDS * A_SECOND) / 2;
  const first = await flood(half);
  const second = await flood(half);
  if (isFullRun) console.log(JSON.stringify({ ...counts, first, second }));
  expect(counts.left).toBeGreaterThan(half / 2);
  expect(counts.read).toBeGreaterThan(0);
  await until('nothing of the requests is kept', async (saw) => {
    const objects = countObjects();
    const waiting = /^questions_waiting.* [1-9]/m.test(await deps.metrics.registry.metrics());
    saw({ objects, waiting });
    return !waiting && objects < first.objects + half / 4;
  });
  const metrics = await deps.metrics.registry.metrics();
  expect(metrics).toContain('status="499"');
  expect(metrics).not.toMatch(/status="500"/);
  if (isFullRun) expect(second.mb).toBeLessThan(1.2 * first.mb);
  for (const index of questions.keys()) expect(await check(index)).not.toBeNull();
  expect((await send({ path: 'events/summary?days=300' })).status).toBe(200);
  expect(child.exitCode).toBeNull();
}, 600_000);
