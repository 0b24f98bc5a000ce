import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { compactAll, openCompaction } from '../../src/modules/events/compaction/loop.ts';

/** The compactor's work until nothing is left, in a process of its own so that its memory shows. */
const deps = await createDeps(loadConfig(), 'compactor');
const events = await compactAll(await openCompaction(deps));
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
console.log(JSON.stringify({ events, peakMb: Math.round(Number(peak) / 1024) }));
process.exit(0);
