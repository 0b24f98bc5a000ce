/** The strongest tint on which ink still reads well in both schemes. */
export const STRONGEST_PERCENT = 50;

export function heatShare(rate: number, most: number): number {
  if (most <= 0) return 0;
  return Math.round(Math.max(0, Math.min(1, rate / most)) * STRONGEST_PERCENT);
}
