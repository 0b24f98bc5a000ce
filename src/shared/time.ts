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
