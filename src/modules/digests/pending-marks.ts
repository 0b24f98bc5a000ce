import { daysBetween } from '../../shared/pacific.ts';
import type { DigestMark } from './model.ts';

/** A mark is told while it is no older. */
export const MARK_DAYS = 7;
/** Marks of an app in a digest; what is beyond comes with the next one. */
export const MAX_MARKS = 20;

/**
 * Whether two prices are one change, of which the store reports more as days go by: its mark is then
 * on another day or of another country. In one country a second price is a second change.
 */
function isSamePrice(a: DigestMark, b: DigestMark): boolean {
  if (!a.price || !b.price || a.price.productId !== b.price.productId) return false;
  if (Math.abs(daysBetween(a.day, b.day)) >= MARK_DAYS) return false;
  const isHere = a.price.country === b.price.country && a.price.currency === b.price.currency;
  return !isHere || a.price.toMinor === b.price.toMinor;
}

function isSame(a: DigestMark, b: DigestMark): boolean {
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'price':
      return isSamePrice(a, b);
    case 'version':
      return a.appVersion === b.appVersion;
    case 'note':
      return a.id === b.id;
    case 'experiment_started':
    case 'experiment_stopped':
      return a.experimentId === b.experimentId && a.at === b.at;
  }
}

/** The marks that no digest told yet, oldest first. */
export function pendingMarks(
  marks: readonly DigestMark[],
  told: readonly DigestMark[],
): DigestMark[] {
  return marks.filter((mark) => !told.some((one) => isSame(mark, one))).slice(0, MAX_MARKS);
}
