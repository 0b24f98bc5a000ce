import { join } from 'node:path';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { createSignatureVerifier } from '../../src/providers/store-server/verifier.ts';
import { createPki, type Pki, signJws } from '../../test/simulators/store-server/pki.ts';
import {
  SimulatedSubscription,
  toNotification,
} from '../../test/simulators/store-server/subscription.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { median, percentile, print, printRatio } from '../support/report.ts';
import { startProcess, startRole, withServers } from '../support/servers.ts';

const PER_ROUND = 40;
const ROUNDS = 7;
const AT_ONCE = 2;
const POLL_MS = 4;
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

/** How a kind of work is begun, and when it was done (null: not yet). */
type Work<T> = { begin: (item: T) => Promise<void>; doneAt: (item: T) => Promise<Date | null> };

/** The next one begins when the one before is done, so that nothing waits behind another. */
async function durations<T>(items: T[], work: Work<T>): Promise<number[]> {
  const taken: number[] = [];
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const startedAt = Date.now();
      await work.begin(item);
      let doneAt = await work.doneAt(item);
      while (doneAt === null) {
        await Bun.sleep(POLL_MS);
        doneAt = await work.doneAt(item);
      }
      taken.push(doneAt.getTime() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return taken;
}

const answered: number[] = [];

async function ours(deps: Deps, pki: Pki, address: string): Promise<number[]> {
  const items = Array.from({ length: PER_ROUND }, () => makeNotification(pki));
  return durations(items, {
    begin: async ({ id, payload }) => {
      const sentAt = performance.now();
      const answer = await fetch(`${address}/v1/purchases/notifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ signedPayload: payload }),
      });
      if (!answer.ok) throw new Error(`${id}: ${await answer.text()}`);
      answered.push(performance.now() - sentAt);
    },
    doneAt: async ({ id }) => {
      const [row] = await deps.sql<{ at: Date | null }[]>`
        SELECT applied_at AS at FROM purchase_notifications
        WHERE environment = 'Production' AND notification_id = ${id}`;
      return row?.at ?? null;
    },
  });
}

async function baseline(deps: Deps): Promise<number[]> {
  const ids = Array.from({ length: PER_ROUND }, () => crypto.randomUUID());
  return durations(ids, {
    begin: async (id) => {
      const options = { taskQueue: 'bench', workflowId: `bench/${id}`, args: [id] };
      await deps.temporal.client.workflow.start('oneRow', options);
    },
    doneAt: async (id) => {
      const [row] = await deps.sql<{ at: Date }[]>`
        SELECT written_at AS at FROM bench_rows WHERE id = ${id}`;
      return row?.at ?? null;
    },
  });
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
  print({
    label: 'notification verified, stored and answered',
    value: `median ${median(answered).toFixed(1)} ms, p99 ${percentile(answered, 99).toFixed(0)} ms`,
  });
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
    const all = { ...env, STORE_ROOT_CERTIFICATES: rootFile };
    const deps = await createDeps(loadConfig(all), 'api');
    const org = await createTestOrg({ deps });
    const { appId } = await createTestApp({ deps }, org.orgId);
    await deps.sql`
      UPDATE apps SET bundle_id = ${BUNDLE}, store_app_id = '1' WHERE app_id = ${appId}`;
    await deps.sql`CREATE TABLE bench_rows (id text PRIMARY KEY, written_at timestamptz NOT NULL)`;
    const api = await startRole('api', all);
    const worker = await startRole('worker', all);
    const other = await startProcess(join(import.meta.dir, 'one-row-worker.ts'), all, 'worker');
    await measure(deps, pki, api.address);
    await Promise.all([api.stop(), worker.stop(), other.stop()]);
    await deps.close();
    const rate = await verificationsPerSecond(pki);
    print({ label: 'signatures verified by one process', value: `${rate.toFixed(0)} a second` });
  });
}
