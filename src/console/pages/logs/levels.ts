import type { Entry, Level } from './entry.ts';

export const LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
] as const satisfies readonly Level[];

export type Tone = 'other' | 'warn' | 'bad';

export const toneOf = (level: string): Tone =>
  level === 'fatal' || level === 'error' ? 'bad' : level === 'warn' ? 'warn' : 'other';

export const TONES = ['other', 'warn', 'bad'] as const satisfies readonly Tone[];

export function histogramOf(
  entries: readonly Pick<Entry, 'timestamp' | 'level'>[],
  span: { fromMs: number; toMs: number },
  count: number,
): number[][] {
  const bars = Array.from({ length: count }, () => TONES.map(() => 0));
  const step = Math.max(1, (span.toMs - span.fromMs) / count);
  for (const { timestamp, level } of entries) {
    const index = Math.floor((Date.parse(timestamp) - span.fromMs) / step);
    const bar = bars[Math.min(count - 1, Math.max(0, index))];
    const tone = TONES.indexOf(toneOf(level));
    if (bar) bar[tone] = (bar[tone] ?? 0) + 1;
  }
  return bars;
}
