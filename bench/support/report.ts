export type Row = { label: string; value: string };

const LABEL_WIDTH = 58;

/** One line a figure: what was measured, and the figure with its unit. */
export function print({ label, value }: Row): void {
  console.log(`  ${label.padEnd(LABEL_WIDTH, '.')} ${value}`);
}

/** The figure beside its limit: the same work without our code, measured in the same run. */
export function printRatio(label: string, ratio: number, goal: string): void {
  print({ label, value: `${ratio.toFixed(2)} ×   (goal ${goal})` });
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The median of so many times, one after the other. */
export async function medianTime(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return median(times);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? Number.NaN;
}
