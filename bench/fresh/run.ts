import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { sendBatches } from '../support/ingest.ts';
import { option } from '../support/options.ts';
import { percentile, print } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const SECONDS = 20;
const FULL_LOAD_SECONDS = 10;
const CAUGHT_UP_MS = 500;
/** Batches a second; without it, half of what is taken at full load while everything runs. */
const RATE = option('rate');
/** As in `bench ingest`. */
const CONNECTIONS = 64;
const MARK_EVERY_MS = 250;
const BODIES = 2_000;

type Target = { address: string; appId: string; apiKey: string; serviceKey: string };

const post = (url: string, headers: Record<string, string>, body: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends one event of a name of its own and asks until the summary has it. */
async function visibleAfterMs({ address, appId, apiKey, serviceKey }: Target, mark: string) {
  const name = `mark_${mark}`;
  const events = [{ name, anonymousId: 'freshness-probe' }];
  const taken = await post(`${address}/v1/events`, { 'x-service-key': serviceKey }, { events });
  if (taken.status !== 202) throw new Error(`The mark was answered ${taken.status}.`);
  const startedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${address}/v1/apps/${appId}/events/summary?days=1`, {
      headers: { 'x-api-key': apiKey },
    });
    const text = await answer.text();
    if (text.includes(`"${name}"`)) return performance.now() - startedAt;
    if (!answer.ok) throw new Error(`The summary was answered ${answer.status}: ${text}`);
  }
}

/** Ids of their own, so that nothing is a resend. */
const renewed = (run: string) => (body: string, turn: number) =>
  body.replaceAll('"id":"', `"id":"${run}${turn.toString(36)}.`);

/** Batches a second that are taken beside compactor and queries, which have caught up after it. */
async function fullLoad(target: Target): Promise<number> {
  const { rate } = await sendBatches({
    ...target,
    seconds: FULL_LOAD_SECONDS,
    connections: CONNECTIONS,
    bodies: BODIES,
    renew: renewed('full'),
  });
  for (let turn = 0; (await visibleAfterMs(target, `full_${turn}`)) > CAUGHT_UP_MS; turn += 1);
  return rate;
}

/** From the 202 until a summary that shows the event has been read, while the same app ingests. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId, serviceKey } = await createTestApp({ deps }, org.orgId);
    await deps.close();
    const [api, compactor, query] = await Promise.all([
      startRole('api', env),
      startRole('compactor', env),
      startRole('query', env),
    ]);
    const target = { address: api.address, appId, apiKey: org.apiKey, serviceKey };
    await visibleAfterMs(target, 'first');
    const wanted = RATE === undefined ? (await fullLoad(target)) / 2 : Number(RATE);
    const loading = sendBatches({
      ...target,
      seconds: SECONDS,
      connections: CONNECTIONS,
      rate: Math.round(wanted),
      bodies: BODIES,
      renew: renewed('half'),
    });
    const times: number[] = [];
    const end = performance.now() + SECONDS * 1_000;
    for (let mark = 1; performance.now() < end; mark += 1) {
      times.push(await visibleAfterMs(target, String(mark)));
      await Bun.sleep(MARK_EVERY_MS);
    }
    const { rate: taken, refused } = await loading;
    await Promise.all([api.stop(), compactor.stop(), query.stop()]);
    const rate = taken * EVENTS_PER_BATCH;
    if (RATE === undefined) {
      const full = `${(2 * wanted * EVENTS_PER_BATCH).toFixed(0)} events/s`;
      print({ label: 'ingest at full load, everything running', value: full });
    }
    print({ label: 'ingest meanwhile', value: `${rate.toFixed(0)} events/s, ${refused} refused` });
    print({ label: 'marks', value: String(times.length) });
    print({ label: '202 to visible, median', value: `${percentile(times, 50).toFixed(0)} ms` });
    print({
      label: '202 to visible, p99',
      value: `${percentile(times, 99).toFixed(0)} ms   (goal ≤ 2000 ms)`,
    });
  });
}
