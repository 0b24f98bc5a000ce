export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export type WaitLimit = {
  waitMs: number;
  error: () => Error;
};

/** FIFO beyond `places` tasks. */
export function limitConcurrency(places: number, limit?: WaitLimit): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();
  const enter = (): Promise<void> => {
    if (running < places) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const giveUp = ({ error }: WaitLimit) => {
        waiting.delete(start);
        reject(error());
      };
      const timer = limit && setTimeout(giveUp, limit.waitMs, limit);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(start);
    });
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      // No later task can take the slot.
      next();
    } else running -= 1;
  };
  return async (task) => {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
