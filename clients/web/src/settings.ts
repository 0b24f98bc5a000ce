import { cut } from './clean.ts';
import type { Host } from './host.ts';
import type { Options } from './types.ts';

export interface Settings {
  url: string;
  key: string;
  intervalMs: number;
  batchSize: number;
  debug: boolean;
  /** JSON of the batch context. */
  context(): string;
}

const PLATFORMS = ['ios', 'android', 'web', 'macos', 'other'];

function clamp(value: number | undefined, otherwise: number, min: number, max: number): number {
  const given = Number(value ?? otherwise);
  return Math.min(Math.max(Number.isNaN(given) ? otherwise : given, min), max);
}

/** At most `max` characters of a text, without NUL; nothing for what is no text. */
export const text = (value: unknown, max: number) =>
  typeof value === 'string' && value ? cut(value.split('\0').join(''), max) : undefined;

type Given = Pick<Options, 'key' | 'path' | 'url'>;

/** Why nothing can be sent with these options, or nothing when it can. */
export function optionsFault(options: Given | undefined): string | undefined {
  const { key = '', url = '', path }: Partial<Options> = options ?? {};
  if (/^\s*svk_/.test(key)) return 'An organization key must not be in an app.';
  if (!/^\s*svp_[\w-]+\s*$/.test(key)) return '`key` is no publishable key (svp_…).';
  const isAddress = /^(https?:\/)?\/[^\s?#]+$/.test(url);
  return isAddress && (path || !/\/v1(\/events)?\/*$/.test(url))
    ? undefined
    : '`url` is such as https://host, without /v1.';
}

export function readSettings(options: Options, host: Host): Settings {
  const { country = '', platform = 'web' } = options;
  return {
    url: String(options.url).replace(/\/+$/, '') + (options.path ?? '/v1/events'),
    key: options.key.trim(),
    // setTimeout holds 31 bits of milliseconds; a day is more than anybody wants.
    intervalMs: clamp(options.flushIntervalMs, 3000, 250, 86_400_000),
    debug: Boolean(options.debug),
    batchSize: Math.floor(clamp(options.batchSize, 20, 1, 100)),
    context: () =>
      JSON.stringify({
        platform: PLATFORMS.includes(platform) ? platform : 'other',
        appVersion: text(options.appVersion, 40),
        osVersion: text(options.osVersion, 40),
        locale: text(options.locale ?? host.locale(), 16),
        country: /^[A-Za-z]{2}$/.test(country) ? country : undefined,
      }),
  };
}
