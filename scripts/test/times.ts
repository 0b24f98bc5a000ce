import type { Measure } from './seconds.ts';

const SLOWEST = 50;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function waitsOf({ waits }: Measure): string {
  return Object.entries(waits)
    .filter(([, seconds]) => seconds >= 0.1)
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, seconds]) => `${kind} ${seconds.toFixed(1)}`)
    .join(', ');
}

/** The slowest files by processor time, after a line of totals; seconds. */
export function timesTable(measures: readonly Measure[], all: boolean): string[] {
  const processor = sum(measures.map((measure) => measure.processor));
  const wall = sum(measures.map((measure) => measure.wall));
  const slowest = measures.toSorted((a, b) => b.processor - a.processor);
  const shown = all ? slowest : slowest.slice(0, SLOWEST);
  return [
    `${measures.length} files: ${processor.toFixed(0)} s of processor, ${wall.toFixed(0)} s one by one`,
    'processor    wall  file (waits in seconds; kinds overlap)',
    ...shown.map((measure) => {
      const waits = waitsOf(measure);
      const cells = [measure.processor, measure.wall].map((one) => one.toFixed(1).padStart(8));
      return `${cells.join('')}  ${measure.path}${waits ? ` (${waits})` : ''}`;
    }),
  ];
}
