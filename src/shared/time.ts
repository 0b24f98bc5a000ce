/** Where "now" comes from; tests pass a fixed one. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function toIso(date: Date): string {
  return date.toISOString();
}

export function toIsoOrNull(date: Date | null | undefined): string | null {
  return date ? date.toISOString() : null;
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const cut = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', cut, { once: true });
  });
}
