import { setImmediate } from 'node:timers/promises';

const TURN_MS = 5;

export type Turns = { isOver: () => boolean; next: () => Promise<void> };

/** Pauses long work, so that other work gets its turn. */
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
