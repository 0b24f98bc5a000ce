import type { ProcessRole } from '../config.ts';

const MB = 1024 * 1024;
/** What the worker's collector takes the machine's memory for. */
const WORKER_RAM_BYTES = 192 * MB;

/**
 * Settings of the JavaScript engine for a process of this role. The engine lets garbage grow to a
 * share of the machine's memory before it looks at all of it; a worker that reads large reports
 * would hold several times what it uses. This is no limit: a heap that needs more gets it.
 */
export function runtimeSettings(role: ProcessRole): Record<string, string> {
  return role === 'worker' ? { BUN_JSC_forceRAMSize: String(WORKER_RAM_BYTES) } : {};
}
