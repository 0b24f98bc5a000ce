import { setImmediate } from 'node:timers/promises';

const TURN_MS = 5;

export type Turns = { isOver: () => boolean; next: () => Promise<void> };

/** Of long work, between which others have theirs. */
export function createTurns(turnMs = TURN_MS): Turns {
  let startedAtMs = performance.now();
  return {
    isOver: () => performance.now() - startedAtMs >= turnMs,
    next: async () => {
      await setImmediate();
      startedAtMs = performance.now();
    },
  };
}
