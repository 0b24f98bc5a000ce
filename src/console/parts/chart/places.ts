import { bisectCenter } from 'd3-array';

export type Places = {
  xs: readonly number[];
  step: number;
};

const WIDEST_DAY_PX = 48;

export function pointPlaces(
  count: number,
  span: { left: number; right: number; isLastPartial: boolean },
): Places {
  const { left, right } = span;
  if (count <= 1) {
    const step = Math.min(WIDEST_DAY_PX, right - left);
    return { xs: count === 1 ? [(left + right) / 2] : [], step };
  }
  const step = (right - left) / (count - (span.isLastPartial ? 0.5 : 1));
  return { xs: Array.from({ length: count }, (_, index) => left + index * step), step };
}

export function barPlaces(count: number, span: { left: number; right: number }): Places {
  const step = (span.right - span.left) / Math.max(1, count);
  return {
    xs: Array.from({ length: count }, (_, index) => span.left + (index + 0.5) * step),
    step,
  };
}

export const nearest = (xs: readonly number[], x: number): number | undefined =>
  xs.length === 0 ? undefined : bisectCenter(xs, x);

export function nearestKey(
  points: readonly { key: string; y: number | null }[],
  y: number,
): string | undefined {
  let found: { key: string; distance: number } | undefined;
  for (const point of points) {
    if (point.y === null) continue;
    const distance = Math.abs(point.y - y);
    if (!found || distance < found.distance) found = { key: point.key, distance };
  }
  return found?.key;
}

export function runsOf(count: number, fits: (index: number) => boolean): [number, number][] {
  const runs: [number, number][] = [];
  for (let index = 0; index < count; index++) {
    if (!fits(index)) continue;
    const last = runs.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

/** Undefined before the first or after the end. */
export function placeAt(starts: readonly number[], endMs: number, ms: number): number | undefined {
  if (ms >= endMs) return undefined;
  const index = starts.findLastIndex((start) => start <= ms);
  return index < 0 ? undefined : index;
}
