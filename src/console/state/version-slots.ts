import type { Slot } from '../parts/chart/types.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** Older versions first: 2.9.1 before 2.10.0. */
export const byVersion = (one: string, other: string): number => collator.compare(one, other);

const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];

/** The same on every page; beyond six that of the rest. */
export function versionSlots(versions: readonly string[]): ReadonlyMap<string, Slot> {
  const sorted = versions.toSorted(byVersion);
  const rest = Math.max(0, sorted.length - SLOTS.length);
  return new Map(sorted.map((version, at) => [version, SLOTS[at - rest] ?? 'other']));
}
