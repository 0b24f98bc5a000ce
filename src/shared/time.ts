import { setTimeout } from 'node:timers/promises';

/** Injected, so that tests can fix it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function toIso(date: Date): string {
  return date.toISOString();
}

const digits = (count: number, end: string): string[] =>
  Array.from({ length: 10 ** count }, (_, number) => String(number).padStart(count, '0') + end);
const [SECONDS, MILLISECONDS] = [digits(2, '.'), digits(3, 'Z')];
let last = { minute: Number.NaN, text: '' };

/** Faster for times close together. Throws `RangeError` for no time. */
export function msToIso(ms: number): string {
  const whole = Math.trunc(ms);
  const minute = Math.floor(whole / MINUTE_MS);
  if (minute !== last.minute) {
    last = { minute, text: toIso(new Date(minute * MINUTE_MS)).slice(0, -'00.000Z'.length) };
  }
  const rest = whole - minute * MINUTE_MS;
  const second = Math.floor(rest / SECOND_MS);
  return `${last.text}${SECONDS[second]}${MILLISECONDS[rest - second * SECOND_MS]}`;
}

export function microsToIso(microseconds: number): string {
  return new Date(microseconds / 1_000).toISOString();
}

export function toIsoOrNull(date: Date | null | undefined): string | null {
  return date ? date.toISOString() : null;
}

/** Returns early once `signal` is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}
