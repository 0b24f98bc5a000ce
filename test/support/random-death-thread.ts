import { parentPort } from 'node:worker_threads';

/** Counts as the threads of the service do, and ends in the middle of some questions. */
const LIVES_MS = 4;
parentPort?.on('message', () => {
  const forMs = Math.random() * 2 * LIVES_MS;
  if (forMs < LIVES_MS) setTimeout(() => process.exit(3), forMs);
});
await import('../../src/query/helper.ts');
