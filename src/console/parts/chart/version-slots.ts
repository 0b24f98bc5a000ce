import { byVersion } from '../../state/version-order.ts';
import type { Slot } from './types.ts';

const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];

/** The same on every page; beyond six that of the rest. */
export function versionSlots(versions: readonly string[]): ReadonlyMap<string, Slot> {
  const sorted = versions.toSorted(byVersion);
  const rest = Math.max(0, sorted.length - SLOTS.length);
  return new Map(sorted.map((version, at) => [version, SLOTS[at - rest] ?? 'other']));
}
