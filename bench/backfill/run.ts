import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { insertCandidate, promoteCandidate } from '../../src/modules/store/connection-store.ts';
import { sealPrivateKey } from '../../src/modules/store/opened-key.ts';
import { simulatedApps } from '../../test/simulators/store/account.ts';
import { startStoreSimulator } from '../../test/simulators/store/server.ts';
import { print } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const DAYS = Number(process.env.BENCH_DAYS ?? 60);
/** Five apps with 700 to 1,400 rows a day: about 5,000 rows. */
const ROWS_PER_APP = 700;

type Told = { idleMb?: number; residentMb?: number; rows?: number };

/** Memory and pace of a worker that collects days of about 5,000 rows. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const now = new Date();
    const apps = simulatedApps(1).map((app) => ({ ...app, weight: ROWS_PER_APP }));
    const store = await startStoreSimulator({ now: () => now, apps, retentionDays: DAYS });
    const full = { ...env, STORE_API_URL: store.url, BENCH_NOW: now.toISOString() };
    const deps = await createDeps(loadConfig(full), 'admin');
    const [key] = store.account.keys;
    if (!key) throw new Error('The account has no key.');
    await insertCandidate(deps.sql, {
      connectionId: 'con_bench',
      orgId: 'bench',
      issuerId: key.issuerId,
      keyId: key.keyId,
      vendorNumber: store.account.vendorNumber,
      sealedKey: sealPrivateKey(deps, 'bench', key.privateKey),
      teamId: null,
      teamType: null,
      createdAt: now,
    });
    await promoteCandidate(deps.sql, 'bench', 'con_bench', now);
    const told: Told[] = [];
    const start = performance.now();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'worker.ts')], {
      env: full,
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (message: Told) => told.push(message),
    });
    if ((await child.exited) !== 0) throw new Error('The worker failed.');
    const seconds = (performance.now() - start) / 1000;
    const idle = told[0]?.idleMb ?? 0;
    const batches = told.slice(1).map(({ residentMb = 0 }) => residentMb);
    const rows = told.reduce((sum, one) => sum + (one.rows ?? 0), 0);
    print({ label: `${DAYS} days, ${rows} rows`, value: `${seconds.toFixed(0)} s` });
    print({ label: 'resident before', value: `${idle.toFixed(0)} MB` });
    print({ label: 'after the first batch', value: `${(batches[0] ?? 0).toFixed(0)} MB` });
    print({ label: 'most of all', value: `${Math.max(...batches).toFixed(0)} MB` });
    print({
      label: 'over the idle worker (goal ≤ 100)',
      value: `${(Math.max(...batches) - idle).toFixed(0)} MB`,
    });
    await deps.close();
    await store.stop();
  });
}
