import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import {
  insertCandidate,
  promoteCandidate,
} from '../../src/modules/sales/collection/connection-queries.ts';
import { sealPrivateKey } from '../../src/modules/sales/collection/opened-key.ts';
import { progressQuery, storeSyncContract } from '../../src/temporal/contracts/store.ts';
import { simulatedApps } from '../../test/simulators/store/account.ts';
import { type StoreSimulator, startStoreSimulator } from '../../test/simulators/store/server.ts';
import { print } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';
import { idleMb, watch } from './resident.ts';

/** BENCH_DAYS=365 for the whole year that a new connection collects. */
const DAYS = Number(process.env.BENCH_DAYS ?? 90);
/** Five apps with 700 to 1,400 rows a day: about 5,000 rows. */
const ROWS_PER_APP = 700;
const PARTS = 4;
const ORG = 'bench';

async function connect(deps: Deps, { account }: StoreSimulator): Promise<void> {
  const [key] = account.keys;
  if (!key) throw new Error('The account has no key.');
  const now = new Date();
  await insertCandidate(deps.sql, {
    connectionId: 'con_bench',
    orgId: ORG,
    issuerId: key.issuerId,
    keyId: key.keyId,
    vendorNumber: account.vendorNumber,
    sealedKey: sealPrivateKey(deps, ORG, key.privateKey),
    teamId: null,
    teamType: null,
    createdAt: now,
  });
  await promoteCandidate(deps.sql, ORG, 'con_bench', now);
}

/** Starts the organization's actor and waits until it has collected everything. */
async function backfill(deps: Deps): Promise<void> {
  const input = { orgId: ORG };
  await deps.temporal.ensure(storeSyncContract, input);
  // By id: the actor continues as new on the way.
  const actor = deps.temporal.client.workflow.getHandle(storeSyncContract.workflowId(input));
  for (;;) {
    await Bun.sleep(500);
    const [done] = await deps.sql`SELECT 1 FROM store_syncs WHERE last_run_at IS NOT NULL`;
    if (!done) continue;
    const { running } = await actor.query(progressQuery);
    const [left] = await deps.sql<{ days: number }[]>`
      SELECT ${DAYS} - count(*)::int AS days FROM store_days WHERE report_type = 'SALES'
        AND state = 'reported'`;
    if (!running && (left?.days ?? 1) <= 1) return;
  }
}

async function rowsOf({ sql }: Deps): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`SELECT count(*) AS rows FROM store_facts`;
  return row?.rows ?? 0;
}

const mb = (value: number) => `${value.toFixed(0)} MB`;

/** Memory of the service's own worker while it collects days of about 5,000 rows. */
export default async function run(): Promise<void> {
  await withServers(['postgres', 'temporal'], async ({ env }) => {
    const apps = simulatedApps(1).map((app) => ({ ...app, weight: ROWS_PER_APP }));
    const store = await startStoreSimulator({ apps, retentionDays: DAYS });
    const full = { ...env, STORE_API_URL: store.url };
    const deps = await createDeps(loadConfig(full), 'admin');
    // The first worker bundles the workflows, which takes memory once; the second is what stays.
    await (await startRole('worker', full)).stop();
    const worker = await startRole('worker', full);
    const idle = await idleMb(worker.pid);
    await connect(deps, store);
    const start = performance.now();
    const watching = watch(worker.pid);
    await backfill(deps);
    const seen = watching.stop();
    const seconds = (performance.now() - start) / 1000;
    const most = Math.max(...seen);
    const rows = await rowsOf(deps);
    print({ label: `${DAYS} days, ${rows} rows`, value: `${seconds.toFixed(0)} s` });
    print({ label: 'idle worker', value: mb(idle) });
    for (let part = 0; part < PARTS; part += 1) {
      const size = Math.ceil(seen.length / PARTS);
      const here = seen.slice(part * size, (part + 1) * size);
      print({ label: `most in part ${part + 1} of ${PARTS}`, value: mb(Math.max(...here)) });
    }
    print({ label: 'over the idle worker (goal ≤ 100)', value: mb(most - idle) });
    await worker.stop();
    await deps.close();
    await store.stop();
  });
}
