import { totalmem } from 'node:os';

/** The container's where it has less. */
export function machineMemoryMb(): number {
  const container = process.constrainedMemory();
  return Math.min(totalmem(), container > 0 ? container : Number.POSITIVE_INFINITY) / 1024 / 1024;
}
