import type { ProcessRole } from '../config.ts';

const MB = 1024 * 1024;
/** What the collector of these processes takes the machine's memory for. */
const RAM_BYTES: Partial<Record<ProcessRole, number>> = { api: 384 * MB, worker: 192 * MB };

/**
 * DuckDB takes and gives back blocks of a few hundred kilobytes all the time. Left to itself, glibc
 * returns each to the kernel, whose page faults cost these processes a tenth of their time. Other
 * C libraries do not know these names.
 */
const KEEP_FREED_BLOCKS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(32 * MB),
  MALLOC_TRIM_THRESHOLD_: String(256 * MB),
};
const WITH_DUCKDB: readonly ProcessRole[] = ['compactor', 'query'];

/**
 * Settings of the JavaScript engine and the allocator for a process of this role. The engine lets
 * garbage grow to a share of the machine's memory before it looks at all of it: a worker that reads
 * large reports or an API under load would hold several times what they use. This is no limit: a
 * heap that needs more gets it.
 */
export function runtimeSettings(role: ProcessRole): Record<string, string> {
  const bytes = RAM_BYTES[role];
  return {
    ...(bytes !== undefined && { BUN_JSC_forceRAMSize: String(bytes) }),
    ...(WITH_DUCKDB.includes(role) && KEEP_FREED_BLOCKS),
  };
}
