export const IMPORT_KEY = 'import';

/** Odd for imports, even for all else: never equal. */
export const isImportedArrival = (arrival: number): boolean => arrival % 2 === 1;

/** Strictly increasing, so batches of one millisecond keep their order. */
export function nextArrival(last: number, nowUs: number, isImported: boolean): number {
  const next = Math.max(last + 1, nowUs);
  return isImportedArrival(next) === isImported ? next : next + 1;
}
