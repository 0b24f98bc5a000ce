import { expect, test } from 'bun:test';
import { keepWorker } from '../../../src/app/keep-worker.ts';
import type { Deps } from '../../../src/context.ts';
import { until } from '../../support/until.ts';

function fake() {
  const lines: string[] = [];
  const log = {
    warn: (line: string) => lines.push(line),
    info: (line: string) => lines.push(line),
  };
  const config = { temporal: { address: '127.0.0.1:7999', namespace: 'default' } };
  return { lines, deps: { log, config } as unknown as Deps };
}

test('a worker without Temporal is tried again, and one line names TEMPORAL_ADDRESS', async () => {
  const { lines, deps } = fake();
  let calls = 0;
  const ended = Promise.withResolvers<void>();
  const worker = keepWorker(deps, () => {
    calls += 1;
    if (calls === 1) return Promise.reject(new Error('transport error\nConnectError'));
    return Promise.resolve({ done: ended.promise, stop: async () => ended.resolve() });
  });
  await until('the worker polls', () => lines.includes('worker polling'));
  expect(calls).toBe(2);
  expect(lines[0]).toStartWith(
    'Temporal (TEMPORAL_ADDRESS, 127.0.0.1:7999) cannot be used: no connection.',
  );
  expect(lines).toHaveLength(2);
  await worker.stop();
});

test('a missing namespace is named with its variable', async () => {
  const { lines, deps } = fake();
  const worker = keepWorker(deps, () =>
    Promise.reject(new Error('Namespace default is not found.')),
  );
  await until('something is logged', () => lines.length !== 0);
  expect(lines[0]).toContain('Make the namespace "default", or set TEMPORAL_NAMESPACE.');
  await worker.stop();
});
