import type { Deps, SystemContext } from '../../context.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { type EventFileJob, eventMaintenanceContract } from '../../temporal/contracts/events.ts';
import { sweepColumns, sweepOrphans, sweepRetired } from '../catalogue/sweep.ts';
import { databaseTime } from '../hosts/queries.ts';
import { type Compactor, openCompactor } from '../parquet/compactor.ts';
import { finishErasures } from '../people/erasure-queries.ts';
import { planJobs, runJob } from './jobs.ts';

const ENGINE_MEMORY_MB = 512;
/** Listing a whole bucket is expensive on S3. */
const ORPHANS_EVERY_MS = 6 * HOUR_MS;

function lazyCompactors(deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>) {
  const { maintenanceJobs } = deps.config.events;
  const threads = maintenanceJobs === 1 ? Math.min(2, deps.config.query.threads) : 1;
  const limited = limitConcurrency(maintenanceJobs);
  const idle: Compactor[] = [];
  let opened = 0;
  const open = () => {
    opened += 1;
    return openCompactor(deps, { name: `worker-${opened}`, memoryMb: ENGINE_MEMORY_MB, threads });
  };
  return <T>(work: (compactor: Compactor) => Promise<T>): Promise<T> =>
    limited(async () => {
      const compactor = idle.pop() ?? (await open());
      try {
        return await work(compactor);
      } finally {
        idle.push(compactor);
      }
    });
}

export function eventMaintenance(deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>) {
  const withCompactor = lazyCompactors(deps);
  const { columnBytes } = deps.config.events;
  const { keep = 0, everyMs = 0 } = deps.config.backups ?? {};
  let orphansSweptAtMs = 0;
  return {
    plan: (ctx: SystemContext<'clock' | 'sql'>) => planJobs(ctx.deps, columnBytes),
    run: (_ctx: SystemContext<never>, job: EventFileJob) =>
      withCompactor((compactor) => runJob(compactor, job)),
    finish: async (ctx: SystemContext<'clock' | 'objects' | 'sql'>): Promise<void> => {
      await finishErasures(ctx.deps.sql);
      await sweepColumns(ctx.deps);
      await sweepRetired(ctx.deps);
      const nowMs = ctx.deps.clock().getTime();
      if (nowMs - orphansSweptAtMs < ORPHANS_EVERY_MS) return;
      orphansSweptAtMs = nowMs;
      const databaseMs = (await databaseTime(ctx.deps.sql)).getTime();
      await sweepOrphans(ctx.deps, databaseMs, keep * everyMs);
    },
  };
}

export async function reconcileEvents(
  deps: Pick<Deps, 'clock' | 'config' | 'sql' | 'temporal'>,
): Promise<void> {
  await finishErasures(deps.sql);
  const jobs = await planJobs(deps, deps.config.events.columnBytes);
  if (jobs.length === 0) return;
  await deps.temporal.ensure(eventMaintenanceContract, {});
}
