import { join } from 'node:path';
import autocannon from 'autocannon';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { EventSummary } from '../../src/modules/events/read.model.ts';
import { parser } from '../../src/shared/schema.ts';
import { createTestApp, createTestOrg, type TestApp } from '../../test/support/factories.ts';
import { benchBatch, EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { median, percentile, print } from '../support/report.ts';
import { startProcess, withServers } from '../support/servers.ts';

const SECONDS = process.argv.includes('--long') ? 120 : 25;
const FULL_LOAD_SECONDS = 5;
const CONNECTIONS = 64;
const APPS = 20;
const LOOK_EVERY_MS = 20;
const summaries = parser(EventSummary, 'summary');
const process_ = (name: string) => join(import.meta.dir, `../../src/processes/${name}.ts`);

/** Load on all apps alike; `overallRate` in batches a second, or as much as goes. */
async function load(address: string, apps: TestApp[], seconds: number, overallRate?: number) {
  let next = 0;
  const result = await autocannon({
    url: `${address}/v1/events`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    ...(overallRate && { overallRate }),
    requests: [
      {
        setupRequest: (request) => {
          next += 1;
          const serviceKey = apps[next % apps.length]?.serviceKey ?? '';
          const headers = { 'x-service-key': serviceKey, 'content-type': 'application/json' };
          return { ...request, headers, body: benchBatch(next, Date.now()) };
        },
      },
    ],
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return result.requests.average;
}

/** Milliseconds from the 202 of one event until the app's summary shows it. */
async function timeToSee(address: string, app: TestApp, apiKey: string, n: number) {
  const name = `probe_${n}`;
  const sent = await fetch(`${address}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...app.device },
    body: JSON.stringify({ events: [{ name, anonymousId: 'the-probe-itself' }] }),
  });
  if (sent.status !== 202) throw new Error(`The probe was answered with ${sent.status}.`);
  const acknowledgedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${address}/v1/apps/${app.appId}/events/summary?days=1`, {
      headers: { 'x-api-key': apiKey },
    });
    const { names } = summaries.parse(await answer.json());
    if (names.some((one) => one.name === name)) return performance.now() - acknowledgedAt;
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** How soon an event is visible while ingest runs at half of what it can. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const apps: TestApp[] = [];
    for (let i = 0; i < APPS; i += 1) apps.push(await createTestApp({ deps }, org.orgId));
    const [probed] = apps;
    if (!probed) throw new Error('There is no app.');
    const api = await startProcess(process_('api'), { ...env, PORT: '0' });
    const full = await load(api.address, apps, FULL_LOAD_SECONDS);
    const others = [
      await startProcess(process_('compactor'), env),
      await startProcess(process_('query'), env),
    ];
    const rate = Math.floor(full / 2);
    const times: number[] = [];
    let over = false;
    const loading = load(api.address, apps, SECONDS, rate).finally(() => {
      over = true;
    });
    while (!over) times.push(await timeToSee(api.address, probed, org.apiKey, times.length));
    const reached = await loading;
    const [behind] = await deps.sql`SELECT sum(accepted)::int AS events FROM event_ingestion_hours`;
    await Promise.all([api, ...others].map((one) => one.stop()));
    await deps.close();
    print({
      label: `load, half of ${full.toFixed(0)} batches/s`,
      value: `${reached.toFixed(0)} batches/s = ${(reached * EVENTS_PER_BATCH).toFixed(0)} events/s`,
    });
    print({ label: 'events in files at the end', value: String(behind?.events) });
    print({ label: 'probes', value: String(times.length) });
    print({ label: 'from 202 to visible, median', value: `${median(times).toFixed(0)} ms` });
    print({
      label: 'from 202 to visible, p99',
      value: `${percentile(times, 99).toFixed(0)} ms   (goal ≤ 2000 ms)`,
    });
  });
}
