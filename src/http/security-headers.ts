import type { Config } from '../config.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** On every answer: no guessing of media types, no address of ours for other sites, TLS for good. */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  const isHttps = publicUrl?.startsWith('https:') ?? false;
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(isHttps && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}
