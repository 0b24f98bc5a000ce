import { createEventDeps } from '../../src/app/event-deps.ts';
import { loadConfig } from '../../src/config.ts';
import { compactAll } from '../../src/event-store/compaction/loop.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { residentMb } from '../../test/support/memory.ts';

/**
 * The compactor's work until nothing is left, in a process of its own so that its memory shows, with
 * what `src/app/processes/compactor.ts` loads.
 */
const deps = createEventDeps(loadConfig(), 'compactor');
const events = await compactAll(await openCompactor(deps));
console.log(JSON.stringify({ events, peakMb: Math.round(residentMb('self', 'VmHWM')) }));
process.exit(0);
