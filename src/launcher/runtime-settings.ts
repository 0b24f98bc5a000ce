import type { ProcessRole } from '../config.ts';

const MB = 1024 * 1024;
/** The machine's memory as the garbage collector of these processes sees it. */
const RAM_BYTES: Partial<Record<ProcessRole, number>> = { api: 384 * MB, worker: 192 * MB };

/**
 * For the compactor, whose DuckDB allocates and frees blocks of some hundred kilobytes all the time.
 * By default glibc returns each to the kernel, and page faults took 6 % of the time. Other C
 * libraries ignore these names.
 */
const KEEP_FREED_BLOCKS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(32 * MB),
  MALLOC_TRIM_THRESHOLD_: String(256 * MB),
};

/**
 * Settings of the JavaScript engine and the allocator for a process of this role. The engine lets
 * garbage grow to a share of the machine's memory before a full collection, so a worker that reads
 * large reports or an API under load would hold several times what it uses. No limit: a heap that
 * needs more gets it.
 */
export function runtimeSettings(role: ProcessRole): Record<string, string> {
  const bytes = RAM_BYTES[role];
  return {
    ...(bytes !== undefined && { BUN_JSC_forceRAMSize: String(bytes) }),
    ...(role === 'compactor' && KEEP_FREED_BLOCKS),
  };
}
