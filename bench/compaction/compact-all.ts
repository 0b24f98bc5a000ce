import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { compactAll, openCompaction } from '../../src/modules/events/compaction/loop.ts';
import { residentMb } from '../../test/support/memory.ts';

/** The compactor's work until nothing is left, in a process of its own so that its memory shows. */
const deps = await createDeps(loadConfig(), 'compactor');
const events = await compactAll(await openCompaction(deps));
console.log(JSON.stringify({ events, peakMb: Math.round(residentMb('self', 'VmHWM')) }));
process.exit(0);
