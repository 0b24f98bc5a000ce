/** `key` of imported records. */
export const IMPORT_KEY = 'import';

/**
 * Imports have odd arrivals, everything else even ones: together with its receipt, an arrival never
 * names both an imported batch and a sent one.
 */
export const isImportedArrival = (arrival: number): boolean => arrival % 2 === 1;

/** Strictly increasing, so batches of one millisecond keep their order. */
export function nextArrival(last: number, nowUs: number, isImported: boolean): number {
  const next = Math.max(last + 1, nowUs);
  return isImportedArrival(next) === isImported ? next : next + 1;
}
