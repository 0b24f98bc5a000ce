import { byVersion } from '../../state/version-order.ts';
import { SLOTS, slotOf } from './slots.ts';
import type { Slot } from './types.ts';

/** The same on every page; beyond six that of the rest. */
export function versionSlots(versions: readonly string[]): ReadonlyMap<string, Slot> {
  const sorted = versions.toSorted(byVersion);
  const rest = Math.max(0, sorted.length - SLOTS.length);
  return new Map(sorted.map((version, at) => [version, slotOf(at - rest)]));
}
