/** Runs a task now or once a place is free. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** At most `places` tasks at a time, the rest in the order in which they came. */
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
    // The place is handed on, so nobody who comes in between can take it.
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
