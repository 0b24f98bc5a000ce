import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import { createSignatureVerifier } from '../../src/providers/store-server/verifier.ts';
import { createPki, type Pki, signJws } from '../../test/simulators/store-server/pki.ts';
import {
  SimulatedSubscription,
  toNotification,
} from '../../test/simulators/store-server/subscription.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { median, percentile, print, printRatio } from '../support/report.ts';
import { startProcess, withServers } from '../support/servers.ts';

const PER_ROUND = 40;
const ROUNDS = 7;
const AT_ONCE = 2;
const VERIFY_MS = 2_000;
const BUNDLE = 'com.example.bench';

type Signed = { id: string; payload: string };

function makeNotification(pki: Pki): Signed {
  const subscription = new SimulatedSubscription({
    bundleId: BUNDLE,
    environment: 'Production',
    start: Date.now() - 1_000,
  });
  const [told] = subscription.told;
  if (!told) throw new Error('A purchase tells of itself.');
  const payload = toNotification(told, { ...subscription.options, appAppleId: 1 });
  const data = {
    ...payload.data,
    signedTransactionInfo: signJws(pki, told.transaction),
    signedRenewalInfo: signJws(pki, told.renewal),
  };
  return { id: told.uuid, payload: signJws(pki, { ...payload, data }) };
}

/** Runs `one` for every item, `AT_ONCE` at a time; gives each item's start in milliseconds. */
async function paced<T>(items: T[], idOf: (item: T) => string, one: (item: T) => Promise<void>) {
  const startedAt = new Map<string, number>();
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      startedAt.set(idOf(item), Date.now());
      await one(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return startedAt;
}

async function waitFor(ids: string[], ends: () => Promise<Map<string, number>>) {
  for (;;) {
    const found = await ends();
    if (ids.every((id) => found.has(id))) return found;
    await Bun.sleep(20);
  }
}

function durations(started: Map<string, number>, ended: Map<string, number>): number[] {
  return [...started].map(([id, at]) => (ended.get(id) ?? Number.NaN) - at);
}

async function appliedTimes(deps: Deps): Promise<Map<string, number>> {
  const rows = await deps.sql<{ id: string; at: Date }[]>`
    SELECT notification_id AS id, applied_at AS at FROM purchase_notification_apps`;
  return new Map(rows.map((row) => [row.id, row.at.getTime()]));
}

async function writtenTimes(deps: Deps): Promise<Map<string, number>> {
  const rows = await deps.sql<{ id: string; at: Date }[]>`
    SELECT id, written_at AS at FROM bench_rows`;
  return new Map(rows.map((row) => [row.id, row.at.getTime()]));
}

async function ours(deps: Deps, pki: Pki, address: string): Promise<number[]> {
  const items = Array.from({ length: PER_ROUND }, () => makeNotification(pki));
  const started = await paced(
    items,
    ({ id }) => id,
    async ({ id, payload }) => {
      const answer = await fetch(`${address}/v1/purchases/notifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ signedPayload: payload }),
      });
      if (!answer.ok) throw new Error(`${id}: ${await answer.text()}`);
    },
  );
  const ids = [...started.keys()];
  return durations(started, await waitFor(ids, () => appliedTimes(deps)));
}

async function baseline(deps: Deps): Promise<number[]> {
  const ids = Array.from({ length: PER_ROUND }, () => crypto.randomUUID());
  const started = await paced(
    ids,
    (id) => id,
    async (id) => {
      const options = { taskQueue: 'bench', workflowId: `bench/${id}`, args: [id] };
      await deps.temporal.client.workflow.start('oneRow', options);
    },
  );
  return durations(started, await waitFor(ids, () => writtenTimes(deps)));
}

async function verificationsPerSecond(pki: Pki): Promise<number> {
  const verifier = createSignatureVerifier({ roots: [pki.rootDer] });
  const payloads = Array.from({ length: 50 }, () => makeNotification(pki).payload);
  let count = 0;
  const start = performance.now();
  while (performance.now() - start < VERIFY_MS) {
    await verifier.notification(payloads[count % payloads.length] ?? '');
    count += 1;
  }
  return count / ((performance.now() - start) / 1_000);
}

async function measure(deps: Deps, pki: Pki, address: string): Promise<void> {
  await Promise.all([ours(deps, pki, address), baseline(deps)]);
  const rounds: { ours: number[]; baseline: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ baseline: await baseline(deps), ours: await ours(deps, pki, address) });
  }
  const show = (name: 'ours' | 'baseline') => {
    const all = rounds.flatMap((round) => round[name]);
    return `median ${median(all).toFixed(0)} ms, p99 ${percentile(all, 99).toFixed(0)} ms`;
  };
  print({ label: 'workflow with one local activity that writes a row', value: show('baseline') });
  print({ label: 'notification sent to applied', value: show('ours') });
  const ratios = rounds.map((round) => median(round.ours) / median(round.baseline));
  printRatio('time to applied', median(ratios), '≤ 1.5');
}

/** From sending a notification to its facts in the tables, beside the least workflow there is. */
export default async function run(): Promise<void> {
  await withServers(['postgres', 'temporal'], async ({ env, dataDir }) => {
    const pki = await createPki();
    const rootFile = join(dataDir, 'root.pem');
    await Bun.write(rootFile, pki.rootPem);
    const all = { ...env, STORE_ROOT_CERTIFICATES: rootFile, PORT: '0' };
    const deps = await createDeps(loadConfig(all), 'api');
    const org = await createTestOrg({ deps });
    const { appId } = await createTestApp({ deps }, org.orgId);
    await deps.sql`
      UPDATE apps SET bundle_id = ${BUNDLE}, store_app_id = '1' WHERE app_id = ${appId}`;
    await deps.sql`CREATE TABLE bench_rows (id text PRIMARY KEY, written_at timestamptz NOT NULL)`;
    const source = join(import.meta.dir, '../../src/processes');
    const api = await startProcess(join(source, 'api.ts'), all);
    const worker = await startProcess(join(source, 'worker.ts'), all);
    const other = await startProcess(join(import.meta.dir, 'one-row-worker.ts'), all);
    await measure(deps, pki, api.address);
    await Promise.all([api.stop(), worker.stop(), other.stop()]);
    await deps.close();
    const rate = await verificationsPerSecond(pki);
    print({ label: 'signatures verified by one process', value: `${rate.toFixed(0)} a second` });
  });
}
