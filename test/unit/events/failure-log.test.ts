import { expect, test } from 'bun:test';
import { FailureLog } from '../../../src/event-store/log/failure-log.ts';

test('what is tried again is reported at once, then each minute, and when it works again', () => {
  const lines: unknown[] = [];
  const say = (level: string) => (fields: object, message: string) => {
    lines.push([level, fields, message]);
  };
  const log = { error: say('error'), warn: say('warn') };
  const faults = new FailureLog(log, { failed: 'failed', works: 'works again' });
  faults.worked();
  expect(lines).toEqual([]);
  for (let second = 0; second < 150; second += 1) {
    faults.failed(new Error(`${second}`), 'error', second * 1_000);
  }
  const failed = (second: number) => ['error', { err: `${second}` }, 'failed'];
  expect(lines).toEqual([failed(0), failed(60), failed(120)]);
  expect(faults.isFailing).toBe(true);
  faults.worked();
  faults.worked();
  expect(lines.slice(3)).toEqual([['warn', {}, 'works again']]);
  expect(faults.isFailing).toBe(false);
  faults.failed(new Error('anew'), 'warn', 151_000);
  expect(lines.at(-1)).toEqual(['warn', { err: 'anew' }, 'failed']);
});
