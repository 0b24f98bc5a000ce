import pino from 'pino';
import type { Config } from '../config.ts';
import { terminalStream } from './pretty.ts';

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

const LINE: pino.LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
};

/** On stderr, unbuffered; codes stay readable. */
export const createOperatorLog = (): Logger =>
  pino(
    { ...LINE, base: { role: 'supervisor', pid: process.pid } },
    pino.destination({ fd: 2, sync: true }),
  );

export function createLogger(config: Config, role: string): Logger {
  const options: pino.LoggerOptions = {
    level: config.log.level,
    base: { role, pid: process.pid },
    redact: { paths: [...REDACTED_PATHS, ...HEADER_PATHS], censor: '[redacted]' },
    ...LINE,
  };
  if (config.log.format === 'json') return pino(options);
  return pino(options, terminalStream);
}
