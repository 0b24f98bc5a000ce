import { MINUTE_MS } from './time.ts';

/** Limits each text to once a minute and counts the suppressed ones. */
export class OncePerMinute {
  private readonly said = new Map<string, { atMs: number; unsaid: number }>();

  /** How many were suppressed since the last one, or null when this one is suppressed too. */
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
