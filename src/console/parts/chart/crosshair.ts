import { signal } from '@preact/signals';

export type Crosshair = {
  /** Start of the day, in charts of hours of the hour. */
  ms: number;
  /** The chart that has pointer or focus, which shows the tooltip. */
  by: string;
  how: 'mouse' | 'touch' | 'keys';
};

/** Shared by all charts of the page. */
export const crosshair = signal<Crosshair | null>(null);

/** Takes the crosshair away, if this chart set it. */
export function dropCrosshair(by: string): void {
  if (crosshair.peek()?.by === by) crosshair.value = null;
}
