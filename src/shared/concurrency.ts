export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** FIFO beyond `places` tasks. */
export function limitConcurrency(places: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = (): Promise<void> => {
    if (running < places) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    // Hands over the slot, so that no later task can take it.
    if (next) next();
    else running -= 1;
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
