import { join } from 'node:path';
import type { Deps, SystemContext } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import { sweepOrphans, sweepRetired } from '../catalogue/sweep.ts';
import { finishErasures } from '../forget/queries.ts';
import { openEngine } from '../parquet/engine.ts';
import type { Rewriting } from '../rewrite/rewrite.ts';
import { planJobs } from './plan-jobs.ts';
import { runJob } from './run-job.ts';

const ENGINE_MEMORY_MB = 512;
/** Listing the whole store is not cheap on S3. */
const ORPHANS_EVERY_MS = 6 * HOUR_MS;

/** Opened with the first job, and used by one job at a time: its tables have fixed names. */
function engineOf(deps: Deps) {
  const { sql, objects, clock, config } = deps;
  let opening: Promise<Rewriting> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const open = async (): Promise<Rewriting> => {
    const connection = await openEngine({
      memoryMb: ENGINE_MEMORY_MB,
      threads: Math.min(2, config.query.threads),
      tempDir: join(config.dataDir, 'tmp', `worker-${process.pid}`),
    });
    return { sql, objects, clock, connection };
  };
  return <T>(work: (r: Rewriting) => Promise<T>): Promise<T> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    const engine = opening;
    const run = last.then(async () => work(await engine));
    last = run.catch(() => undefined);
    return run;
  };
}

/** The use-cases of the maintenance workflow, on one engine of this process. */
export function eventMaintenance(deps: Deps) {
  const withEngine = engineOf(deps);
  let orphansSweptAtMs = 0;
  return {
    plan: (ctx: SystemContext) => planJobs(ctx.deps),
    run: (_ctx: SystemContext, job: EventFileJob) => withEngine((r) => runJob(r, job)),
    finish: async (ctx: SystemContext): Promise<void> => {
      await finishErasures(ctx.deps.sql);
      await sweepRetired(ctx.deps);
      const nowMs = ctx.deps.clock().getTime();
      if (nowMs - orphansSweptAtMs < ORPHANS_EVERY_MS) return;
      orphansSweptAtMs = nowMs;
      await sweepOrphans(ctx.deps, nowMs);
    },
  };
}
