import { SECOND_MS } from '../shared/time.ts';

const BRIEF_MS = 10 * SECOND_MS;
const REST_TIMES = 10;

/** Work rests ten times its duration. */
export type Cooldowns = {
  unlessCoolingDown: <T>(name: string, work: () => Promise<T>) => Promise<T | null>;
};

export function createCooldowns(nowMs: () => number): Cooldowns {
  const restsUntilMs = new Map<string, number>();
  return {
    unlessCoolingDown: async (name, work) => {
      const beganMs = nowMs();
      if (beganMs < (restsUntilMs.get(name) ?? 0)) return null;
      const result = await work();
      const tookMs = nowMs() - beganMs;
      if (tookMs > BRIEF_MS) restsUntilMs.set(name, nowMs() + REST_TIMES * tookMs);
      return result;
    },
  };
}
