import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { collectDays } from '../../src/modules/store/collect.ts';

/** The worker's part of a backfill in a process of its own; tells its memory after every batch. */
const deps = { ...(await createDeps(loadConfig(), 'worker')) };
const now = new Date(process.env.BENCH_NOW ?? '');
// The store's token has to be of today; days are of then.
deps.clock = () => now;
const residentMb = () => process.memoryUsage().rss / 1024 / 1024;
process.send?.({ idleMb: residentMb() });
const input = { orgId: 'bench', force: false, beganAtMs: null, withoutTrials: false };
for (let more = true; more; ) {
  const result = await collectDays({ deps, requestId: 'bench' }, input);
  process.send?.({ residentMb: residentMb(), rows: result.rowsWritten });
  more = result.more;
}
process.exit(0);
