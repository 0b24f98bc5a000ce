export function singleFlight<T>(): (key: string, task: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, task) => {
    const shared = running.get(key);
    if (shared) return shared;
    const started = task().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
