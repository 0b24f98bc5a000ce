import { setTimeout } from 'node:timers/promises';

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

/** Of microseconds since 1970, the unit of event times. */
export function microsToIso(microseconds: number): string {
  return new Date(microseconds / 1_000).toISOString();
}

export function toIsoOrNull(date: Date | null | undefined): string | null {
  return date ? date.toISOString() : null;
}

/** Waits for `ms`, or until `signal` is aborted; not at all when it is already. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}
