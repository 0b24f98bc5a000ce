import { MINUTE_MS } from './time.ts';

/** Lets each text through once a minute, and counts those that it held back. */
export class OncePerMinute {
  private readonly said = new Map<string, { atMs: number; unsaid: number }>();

  /** How many were held back since the last one, or null when this one is held back too. */
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
