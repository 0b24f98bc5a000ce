import { Type } from '@sinclair/typebox';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { parser } from '../../src/shared/schema.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { BENCH_DAYS, benchFiles } from '../support/event-files.ts';
import { sendTaken } from '../support/ingest.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const EVENTS = process.argv.includes('--quick') ? 200_000 : 10_000_000;
const REPORTS_AT_ONCE = 4;
const SECONDS = 30;
/** Batches a second, at a steady pace: 20,000 events. */
const RATE = 1_000;
const CONNECTIONS = 16;
const BODIES = 500;
const STEPS = ['step_1', 'step_2', 'step_3', 'step_4', 'step_5'];

const json = (headers: Record<string, string>) => ({
  ...headers,
  'content-type': 'application/json',
});

const ingest = (address: string, serviceKey: string) =>
  sendTaken({
    address,
    serviceKey,
    seconds: SECONDS,
    connections: CONNECTIONS,
    rate: RATE,
    bodies: BODIES,
  });

const funnel = parser(Type.Object({ id: Type.String() }), 'funnel');

async function createFunnel(base: string, apiKey: string): Promise<string> {
  const answer = await fetch(base, {
    method: 'POST',
    headers: json({ 'x-api-key': apiKey }),
    body: JSON.stringify({
      name: 'Five steps',
      steps: STEPS.map((event) => ({ event, label: event })),
    }),
  });
  if (!answer.ok) throw new Error(`The funnel was answered ${answer.status}.`);
  const { id } = funnel.parse(await answer.json());
  return `${base}/${id}/report?days=${BENCH_DAYS}`;
}

/** Asks for one report after the other until `signal`; the time of each. */
async function askOn(report: string, apiKey: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    const answer = await fetch(report, { headers: { 'x-api-key': apiKey } });
    await answer.text();
    if (!answer.ok) throw new Error(`A report was answered ${answer.status}.`);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** What the reports of one organization do to another's ingest. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const [analyst, sender] = [await createTestOrg({ deps }), await createTestOrg({ deps })];
    const { appId } = await createTestApp({ deps }, analyst.orgId);
    const { serviceKey } = await createTestApp({ deps }, sender.orgId);
    await benchFiles(deps.sql, dataDir, EVENTS, { orgId: analyst.orgId, appId });
    await deps.close();
    const api = await startRole('api', env);
    const others = [await startRole('compactor', env), await startRole('query', env)];
    const report = await createFunnel(`${api.address}/v1/apps/${appId}/funnels`, analyst.apiKey);
    const alone = await ingest(api.address, serviceKey);
    const end = new AbortController();
    const asking = Array.from({ length: REPORTS_AT_ONCE }, () =>
      askOn(report, analyst.apiKey, end.signal),
    );
    const beside = await ingest(api.address, serviceKey);
    end.abort();
    const times = (await Promise.all(asking)).flat();
    for (const one of [api, ...others]) await one.stop();
    const rate = (batches: number) => `${(batches * EVENTS_PER_BATCH).toFixed(0)} events/s`;
    print({
      label: `${REPORTS_AT_ONCE} reports of ${EVENTS / 1e6} million events at once`,
      value: `${times.length} done, median ${median(times).toFixed(0)} ms`,
    });
    print({ label: 'ingest alone', value: `${rate(alone.rate)}, p99 ${alone.p99Ms} ms` });
    print({
      label: 'ingest beside the reports',
      value: `${rate(beside.rate)}, p99 ${beside.p99Ms} ms   (goal ≤ 50 ms)`,
    });
    printRatio('taken beside / alone', beside.rate / alone.rate, '≥ 0.95');
  });
}
