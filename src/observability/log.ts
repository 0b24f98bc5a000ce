import pino from 'pino';
import type { Config } from '../config.ts';
import { terminalStream } from './pretty.ts';

/** Redacted keys of logged objects. */
const REDACTED_PATHS = [
  'authorization',
  'cookie',
  'password',
  'privateKey',
  'secret',
  'apiKey',
  'token',
  'signedPayload',
  'signedTransaction',
  'firstAccountCode',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["${name}"]`]);

const HEADER_PATHS = ['x-api-key', 'x-service-key', 'x-cron-secret', 'set-cookie'].flatMap(
  (name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`],
);

export type Logger = pino.Logger;

/** JSON lines, or readable text on a terminal. */
export function createLogger(config: Config, role: string): Logger {
  const options: pino.LoggerOptions = {
    level: config.log.level,
    base: { role, pid: process.pid },
    redact: { paths: [...REDACTED_PATHS, ...HEADER_PATHS], censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  if (config.log.format === 'json') return pino(options);
  return pino(options, terminalStream);
}
