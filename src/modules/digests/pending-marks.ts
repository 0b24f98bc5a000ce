import { daysBetween } from '../../shared/pacific.ts';
import type { DigestMark } from './model.ts';

/** Older marks are in no digest. */
export const MARK_DAYS = 7;
export const MAX_MARKS = 20;

/** Later reports show the same change on another day or in another country. */
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
    case 'release':
      return a.appVersion === b.appVersion;
    case 'note':
      return a.id === b.id;
    case 'experiment_started':
    case 'experiment_stopped':
      return a.experimentId === b.experimentId && a.at === b.at;
  }
}

export function pendingMarks(
  marks: readonly DigestMark[],
  sent: readonly DigestMark[],
): DigestMark[] {
  return marks.filter((mark) => !sent.some((one) => isSame(mark, one))).slice(0, MAX_MARKS);
}
