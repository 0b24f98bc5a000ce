import { signal } from '@preact/signals';
import { endMs, startMs } from './days.ts';
import { placeAt } from './places.ts';
import type { TimeChartProps } from './types.ts';

export type Crosshair = {
  /** Start of the day, in charts of hours of the hour. */
  ms: number;
  by: string;
  how: 'mouse' | 'touch' | 'keys';
};

export const crosshair = signal<Crosshair | null>(null);

export function dropCrosshair(by: string): void {
  if (crosshair.peek()?.by === by) crosshair.value = null;
}

export function crossedIndex({
  days,
  unit = 'day',
}: Pick<TimeChartProps, 'days' | 'unit'>): number | undefined {
  const at = crosshair.value;
  if (!at) return undefined;
  return placeAt(days.map(startMs), endMs(days.at(-1) ?? '', unit), at.ms);
}
