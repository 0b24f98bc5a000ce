import type { Slot } from './types.ts';

export const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];
export const slotOf = (index: number): Slot => SLOTS[index] ?? 'other';
