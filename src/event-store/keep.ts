import type { SystemContext } from '../context.ts';
import { compactAll } from './compaction/loop.ts';
import { planJobs, runJob } from './maintenance/jobs.ts';
import { type OnStored, openCompactor } from './parquet/compactor.ts';
import { finishErasures } from './people/erasure-queries.ts';

/** Keeps an always failing job from blocking an operator for ever. */
const MAX_ROUNDS = 50;

export async function compactNow(
  { deps }: SystemContext<'clock' | 'config' | 'log' | 'objects' | 'sql'>,
  onStored?: OnStored,
): Promise<{ events: number; jobs: number }> {
  const compactor = await openCompactor({ ...deps, onStored });
  const events = await compactAll(compactor);
  let done = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const jobs = await planJobs(compactor);
    if (jobs.length === 0) break;
    for (const job of jobs) await runJob(compactor, job);
    done += jobs.length;
  }
  await finishErasures(deps.sql);
  return { events, jobs: done };
}

export { compactForever } from './compaction/loop.ts';
export type { EventRow } from './event/columns.ts';
export { checkOwners } from './maintenance/check-owners.ts';
export { eventMaintenance, reconcileEvents } from './maintenance/maintain.ts';
export { type OnStored, openCompactor } from './parquet/compactor.ts';
export { erasedInFiles } from './rebuild/people.ts';
export {
  eraseAgain,
  isCatalogueEmpty,
  unknownApps,
  unknownOrganizations,
} from './rebuild/queries.ts';
export { type Rebuilt, rebuildCatalogue } from './rebuild/rebuild-catalogue.ts';
export { type Repair, repairDamaged } from './scrub/repair.ts';
export { scrubRound, skipNone } from './scrub/scrub.ts';
export type { UndoneImport } from './undo/summarize.ts';
export { undoImport } from './undo/undo-import.ts';
