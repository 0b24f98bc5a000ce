import type { ProcessRole } from '../config.ts';

const MB = 1024 * 1024;
const RAM_BYTES: Partial<Record<ProcessRole, number>> = { api: 384 * MB, worker: 192 * MB };

/** glibc would return DuckDB's blocks to the kernel; page faults cost 6 %. */
const KEEP_FREED_BLOCKS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(32 * MB),
  MALLOC_TRIM_THRESHOLD_: String(256 * MB),
};

/** Growth of 1.5 and less makes a full collection of every second one, a third of all work. */
const COLLECT_YOUNG_FIRST = {
  BUN_JSC_mediumHeapGrowthFactor: '2',
  BUN_JSC_largeHeapGrowthFactor: '2',
};

/** JavaScriptCore lets garbage grow with the machine's memory. Not a limit. */
export function runtimeSettings(role: ProcessRole): Record<string, string> {
  const bytes = RAM_BYTES[role];
  return {
    ...(bytes !== undefined && { BUN_JSC_forceRAMSize: String(bytes) }),
    ...(role === 'api' && COLLECT_YOUNG_FIRST),
    ...(role === 'compactor' && KEEP_FREED_BLOCKS),
  };
}
