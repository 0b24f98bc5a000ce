import { cut } from './clean.ts';
import type { Host } from './host.ts';
import type { Options } from './types.ts';

export interface Settings {
  url: string;
  key: string;
  intervalMs: number;
  batchSize: number;
  /** JSON of the batch context. */
  context(): string;
}

function clamp(value: number | undefined, otherwise: number, min: number, max: number): number {
  return Math.min(Math.max(Number(value ?? otherwise) || otherwise, min), max);
}

const text = (value: unknown, max: number) =>
  typeof value === 'string' && value ? cut(value.split('\0').join(''), max) : undefined;

export function readSettings(options: Options, host: Host): Settings {
  const { country = '' } = options;
  return {
    url: String(options.url).replace(/\/+$/, '') + (options.path ?? '/v1/events'),
    key: options.key,
    // setTimeout holds 31 bits of milliseconds; a day is more than anybody wants.
    intervalMs: clamp(options.flushIntervalMs, 3000, 250, 86_400_000),
    batchSize: Math.floor(options.batchSize === 0 ? 1 : clamp(options.batchSize, 20, 1, 100)),
    context: () =>
      JSON.stringify({
        platform: options.platform ?? 'web',
        appVersion: text(options.appVersion, 40),
        osVersion: text(options.osVersion, 40),
        locale: text(options.locale ?? host.locale(), 16),
        country: /^[A-Za-z]{2}$/.test(country) ? country : undefined,
      }),
  };
}
