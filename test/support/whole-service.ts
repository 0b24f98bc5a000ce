import { afterAll, expect } from 'bun:test';
import { serve } from '../../src/app/serve.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';
import { Queries } from '../../src/query/client.ts';
import { DAY_MS, HOUR_MS } from '../../src/shared/time.ts';
import { quietLog } from './events.ts';
import { testDatabase } from './postgres.ts';
import { startQueryProcess } from './query-process.ts';
import { createTestApp, createTestOrg, startTestService } from './service.ts';
import { type Asked, PLANS } from './whole-questions.ts';

const RECORD_EVENTS = 1_000;
/** Little, so that questions come near to its end. */
const MEMORY = { QUERY_MEMORY_MB: '96' };
const VOLATILE = new Set(['asOf', 'computedAt', 'countedFrom', 'dataThrough', 'window']);
const withoutTimes = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value) => (VOLATILE.has(key) ? undefined : value));

const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 60 * DAY_MS;
const dayOf = (days: number) => new Date(startMs + days * DAY_MS).toISOString();

/** The days of its events, all over. */
export const EVENT_DAYS = { from: dayOf(-1), to: dayOf(45) };

const toEvent = (n: number, people: number) => ({
  name: ['paywall_viewed', 'app_opened', 'app_opened', 'bought'][n % 4],
  ts: new Date(startMs + (n % 900) * HOUR_MS).toISOString(),
  anonymousId: `device-${n % people}`,
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

/** A service that listens and asks a query process of its own about numbered events. */
export async function startWholeService(people: number) {
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

  /** Into the log, a record for each thousand. */
  async function storeEvents(from: number, before: number): Promise<void> {
    const log = await EventLog.open({
      ...{ dir: deps.config.events.logDir, log: quietLog(), maxSegmentAgeMs: 1_000 },
    });
    const header = { org: org.orgId, app: appId, key: 'key_1', receivedAt: Date.now() };
    for (let first = from; first < before; first += RECORD_EVENTS) {
      const events = Array.from({ length: RECORD_EVENTS }, (_, n) => toEvent(first + n, people));
      const body = { events, context: context(first / RECORD_EVENTS) };
      await log.append({ ...header, body: Buffer.from(JSON.stringify(body)) });
    }
    await log.close();
  }

  const send = ({ path, body }: Asked, signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.address}/v1/apps/${appId}/${path}`, {
      headers: { ...org.key, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });

  /** Null of a question without an answer. */
  async function ask(asked: Asked, signal?: AbortSignal): Promise<string | null> {
    const response = await send(asked, signal);
    const text = await response.text();
    if (response.ok) return withoutTimes(text);
    expect({ ...asked, status: response.status, text }).toMatchObject({ status: 503 });
    return null;
  }

  const startProcess = (env: Record<string, string> = {}) =>
    startQueryProcess({ database, dataDir }, { ...MEMORY, ...env });

  return { deps, storeEvents, send, ask, startProcess };
}

/** Some at a time. */
export async function inTurns<T>(
  atOnce: number,
  all: readonly T[],
  use: (one: T, index: number) => Promise<void>,
): Promise<void> {
  const left = [...all.entries()];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await use(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
