import { MINUTE_MS } from './time.ts';

export class OncePerMinute {
  private readonly said = new Map<string, { atMs: number; unsaid: number }>();

  /** Suppressed calls since the last pass; null when suppressed. */
  take(text: string, nowMs: number): number | null {
    const last = this.said.get(text);
    if (last !== undefined && nowMs - last.atMs < MINUTE_MS) {
      last.unsaid += 1;
      return null;
    }
    this.said.set(text, { atMs: nowMs, unsaid: 0 });
    return last?.unsaid ?? 0;
  }
}
