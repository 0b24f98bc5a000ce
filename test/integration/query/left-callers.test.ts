import { afterAll, expect, test } from 'bun:test';
import { serve } from '../../../src/app/serve.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { Queries } from '../../../src/query/client.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { endQueryProcess, startQueryProcess } from '../../support/query-process.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const EVENTS = 16_000;
const PEOPLE = 3_000;
const RECORD_EVENTS = 1_000;
/** Four callers each. */
const WAVES = 10;
const COLD_STARTS = isFullRun ? 4 : 1;
const LEFT_WITHIN_MS = 2_000;

const database = await testDatabase();
const service = await startTestService(database, {
  env: { PORT: '0' },
  with: ({ config }) => ({
    queries: new Queries({
      ...{ runDir: config.runDir, processes: 1, timeoutSeconds: 600, startWaitMs: 600_000 },
    }),
  }),
});
const { call, dataDir, deps } = service;
const org = await createTestOrg(service);
const { appId } = await createTestApp(service, org.orgId);
const server = await serve(deps);
afterAll(() => server.stop());

/** One file without a projection, which the process reads with DuckDB. */
async function storeEvents(): Promise<void> {
  const startMs = Date.now() - 100 * HOUR_MS;
  const toEvent = (n: number) => ({
    name: n % 3 === 0 ? 'paywall_viewed' : 'app_opened',
    ts: new Date(startMs + (n % 99) * HOUR_MS).toISOString(),
    anonymousId: `device-${n % PEOPLE}`,
    props: { page: `${n} `.repeat(20) },
  });
  const log = await EventLog.open({
    ...{ dir: deps.config.events.logDir, log: quietLog(), maxSegmentAgeMs: 1_000 },
  });
  const header = { org: org.orgId, app: appId, key: 'key_1', receivedAt: Date.now() };
  for (let from = 0; from < EVENTS; from += RECORD_EVENTS) {
    const events = Array.from({ length: RECORD_EVENTS }, (_, n) => toEvent(from + n));
    await log.append({ ...header, body: Buffer.from(JSON.stringify({ events })) });
  }
  await log.close();
  await compactEverything(deps);
}

/** Without times, which change. */
const countsIn = (answer: string): string[] =>
  answer.match(/"(people|events|returned|size)":\d+/g) ?? [];

const startProcess = () => startQueryProcess({ database, dataDir });

test('callers who leave spoil no later figure', async () => {
  await storeEvents();
  const steps = ['app_opened', 'paywall_viewed'].map((event) => ({ event, label: event }));
  const made = await call(`/v1/apps/${appId}/funnels`, {
    body: { name: 'Paywall', steps },
    headers: org.key,
  });
  expect(made.status).toBe(201);
  const paths = [
    ...['events/summary?days=28', 'events/series', 'events/retention'],
    `funnels/${made.body.id}/report`,
  ].map((path) => `/v1/apps/${appId}/${path}`);
  const ask = async (path: string, signal?: AbortSignal) => {
    const response = await fetch(`${server.address}${path}`, {
      headers: org.key,
      ...(signal && { signal }),
    });
    return response.ok ? countsIn(await response.text()) : null;
  };
  const askAll = () => Promise.all(paths.map((path) => ask(path)));

  const undisturbed = await startProcess();
  const startedMs = performance.now();
  const expected = await askAll();
  const coldMs = performance.now() - startedMs;
  for (const counts of expected) expect(counts?.length).toBeGreaterThan(1);
  expect(expected[0]).toContainEqual(`"events":${EVENTS}`);
  expect(expected[0]).toContainEqual(`"people":${PEOPLE}`);
  await endQueryProcess(undisturbed, 'SIGTERM');

  const withinMs = isFullRun ? LEFT_WITHIN_MS : coldMs;
  for (let start = 0; start < COLD_STARTS; start += 1) {
    const child = await startProcess();
    const found: (string[] | null)[] = [];
    for (let wave = 1; wave <= WAVES; wave += 1) {
      const left = paths.map((path) =>
        ask(path, AbortSignal.timeout((withinMs * wave) / WAVES)).catch(() => null),
      );
      found.push(...(await Promise.all(left)));
    }
    const whole = found.filter((counts) => counts !== null);
    for (const counts of whole) expect(expected).toContainEqual(counts);
    expect(await askAll()).toEqual(expected);
    await endQueryProcess(child, 'SIGTERM');
  }
});
