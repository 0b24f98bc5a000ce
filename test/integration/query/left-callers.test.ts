import { afterAll, expect, test } from 'bun:test';
import { serve } from '../../../src/app/serve.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { Queries } from '../../../src/query/client.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { pause } from '../../support/pause.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { endQueryProcess, startQueryProcess } from '../../support/query-process.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { type Asked, PLANS, questionsOf } from '../../support/whole-questions.ts';

/*
 * Questions of all kinds, four at a time, of which each is left at a random instant, cut by its
 * limit or killed with its process, cold and warm, beside compaction, in little memory; then the
 * same without that. Each answer is that of a process that nobody disturbed.
 */
const EVENTS = 16_000;
const PEOPLE = 3_000;
const RECORD_EVENTS = 1_000;
const QUESTIONS = isFullRun ? 2_000 : 48;
const WAVE = isFullRun ? 100 : 12;
const AT_ONCE = 4;
const LIMIT_SECONDS = '0.1';
const MEMORY = { QUERY_MEMORY_MB: '96' };

const database = await testDatabase();
const service = await startTestService(database, {
  env: { PORT: '0' },
  with: ({ config }) => ({
    queries: new Queries({
      ...{ runDir: config.runDir, processes: 1, timeoutSeconds: 600, startWaitMs: 600_000 },
    }),
  }),
});
const { dataDir, deps } = service;
const org = await createTestOrg(service);
const { appId } = await createTestApp(service, org.orgId);
const server = await serve(deps);
afterAll(() => server.stop());

const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 60 * DAY_MS;
const toEvent = (n: number) => ({
  name: ['paywall_viewed', 'app_opened', 'app_opened', 'bought'][n % 4],
  ts: new Date(startMs + (n % 900) * HOUR_MS).toISOString(),
  anonymousId: `device-${n % PEOPLE}`,
  props: {
    page: `${n} `.repeat(20),
    price: n % 97,
    plan: n % 7 === 0 ? 'other' : `plan-${n % PLANS}`,
  },
});
const context = (n: number) => ({
  platform: ['ios', 'android', 'web'][n % 3],
  appVersion: `2.${n % 4}`,
  country: ['DE', 'US'][n % 2],
});

/** Files without a projection, which the process reads with DuckDB; the last part stays in the log. */
async function storeEvents(from: number, before: number): Promise<void> {
  const log = await EventLog.open({
    ...{ dir: deps.config.events.logDir, log: quietLog(), maxSegmentAgeMs: 1_000 },
  });
  const header = { org: org.orgId, app: appId, key: 'key_1', receivedAt: Date.now() };
  for (let first = from; first < before; first += RECORD_EVENTS) {
    const events = Array.from({ length: RECORD_EVENTS }, (_, n) => toEvent(first + n));
    const body = { events, context: context(first / RECORD_EVENTS) };
    await log.append({ ...header, body: Buffer.from(JSON.stringify(body)) });
  }
  await log.close();
}

const VOLATILE = new Set(['asOf', 'computedAt', 'countedFrom', 'dataThrough', 'window']);
const withoutTimes = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value) => (VOLATILE.has(key) ? undefined : value));

/** Null of a question without an answer. */
async function ask({ path, body }: Asked, signal?: AbortSignal): Promise<string | null> {
  const response = await fetch(`${server.address}/v1/apps/${appId}/${path}`, {
    headers: { ...org.key, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (response.ok) return withoutTimes(text);
  expect({ path, body, status: response.status, text }).toMatchObject({ status: 503 });
  return null;
}

const startProcess = (env: Record<string, string> = {}) =>
  startQueryProcess({ database, dataDir }, { ...MEMORY, ...env });

async function inTurns<T>(all: readonly T[], use: (one: T, index: number) => Promise<void>) {
  const left = [...all.entries()];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await use(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

test('callers who leave, limits and processes that die spoil no figure', async () => {
  await storeEvents(0, EVENTS / 2);
  await compactEverything(deps);
  await storeEvents(EVENTS / 2, EVENTS);
  const day = (days: number) => new Date(startMs + days * DAY_MS).toISOString();
  const questions = questionsOf(QUESTIONS, { from: day(-1), to: day(45) });
  const random = randomFrom(57);

  const undisturbed = await startProcess();
  const expected: string[] = [];
  const durationsMs: number[] = [];
  await inTurns(questions, async (asked, index) => {
    const startedMs = performance.now();
    expected[index] = (await ask(asked)) ?? 'no answer';
    durationsMs[index] = performance.now() - startedMs;
  });
  expect(expected.filter((text) => text === 'no answer')).toEqual([]);
  const days = { from: day(-1), to: day(45), timezone: 'UTC' };
  const response = await fetch(`${server.address}/v1/apps/${appId}/questions/answer`, {
    ...{ method: 'POST', body: JSON.stringify({ kind: 'series', series: [{}], ...days }) },
    headers: { ...org.key, 'content-type': 'application/json' },
  });
  expect(await response.json()).toMatchObject({
    ...{ countedFrom: EVENTS, totals: { people: PEOPLE, events: EVENTS } },
  });
  await endQueryProcess(undisturbed, 'SIGTERM');

  const waves = Array.from({ length: QUESTIONS / WAVE }, (_, wave) => wave);
  const counts = { whole: 0, ended: 0 };
  const compaction = await openCompactor(deps);
  for (const wave of waves) {
    const isLimited = wave % 4 === 1;
    const isKilled = wave % 4 === 2;
    let child = await startProcess(isLimited ? { QUERY_TIMEOUT_SECONDS: LIMIT_SECONDS } : {});
    let restarted: Promise<void> | null = null;
    const restart = async () => {
      await endQueryProcess(child, 'SIGKILL');
      child = await startProcess();
      restarted = null;
    };
    // Beside the questions: the log becomes files, and files become fewer with projections.
    const beside = wave === 0 ? compactEverything(deps) : coalesceOnce(compaction);
    const disturb = async (asked: Asked, index: number): Promise<string | null> => {
      if (isLimited) return ask(asked);
      const afterMs = Math.max(1, 1.2 * random() * (durationsMs[index] ?? 0));
      if (isKilled && random() < 0.2) {
        const answer = ask(asked).catch(() => null);
        await pause(afterMs, 'a random instant of the question');
        restarted ??= restart();
        await restarted;
        return answer;
      }
      return ask(asked, AbortSignal.timeout(afterMs)).catch(() => null);
    };
    const first = wave * WAVE;
    await inTurns(questions.slice(first, first + WAVE), async (asked, place) => {
      const index = first + place;
      const disturbed = await disturb(asked, index);
      const again = await ask(asked);
      for (const found of [disturbed, again]) {
        if (found === null) counts.ended += 1;
        else counts.whole += 1;
        if (found !== null)
          expect({ wave, asked, found }).toEqual({ wave, asked, found: expected[index]! });
      }
      // A limited process, and one that was killed under another question, may have none.
      if (!isLimited && !isKilled) expect({ asked, again }).not.toEqual({ asked, again: null });
    });
    await beside;
    await endQueryProcess(child, 'SIGTERM');
  }
  expect(counts.ended).toBeGreaterThan(QUESTIONS / 4);
  expect(counts.whole).toBeGreaterThan(QUESTIONS);
});
