import type { Host } from './host.ts';
import type { Outcome } from './sender.ts';

const DELAY_MAX_MS = 5 * 60_000;

/** When to try again. */
export interface Pace {
  /** Milliseconds to the next flush that nobody asks for. */
  delay(): number;
  /** The server said, with 429 or 401, not to come back yet: this binds an explicit flush too. */
  barred(): boolean;
  failing(): boolean;
  failed(outcome: Outcome): void;
  recovered(): void;
}

export function createPace(intervalMs: number, host: Host): Pace {
  let failures = 0;
  let askedAt = 0;
  let asked: Outcome = { status: 0, retryAfterMs: 0 };
  // Measured from the answer, so that a clock set back cannot bar for longer than was asked.
  const remaining = () => {
    const waited = host.now() - askedAt;
    return waited < 0 ? 0 : Math.max(asked.retryAfterMs - waited, 0);
  };
  const recovered = () => {
    failures = 0;
    asked = { status: 0, retryAfterMs: 0 };
  };
  return {
    delay: () => {
      const grown = Math.min(intervalMs * 2 ** Math.max(failures - 1, 0), DELAY_MAX_MS);
      const jittered = failures > 1 ? grown * (0.5 + host.random() / 2) : intervalMs;
      return Math.max(jittered, intervalMs, remaining());
    },
    barred: () => (asked.status === 429 || asked.status === 401) && remaining() > 0,
    failing: () => failures > 0,
    failed: (outcome) => {
      failures = outcome.status === 429 ? Math.max(failures, 1) + 1 : failures + 1;
      asked = outcome;
      askedAt = host.now();
    },
    recovered,
  };
}
