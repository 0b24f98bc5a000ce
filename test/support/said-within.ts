import { expect } from 'bun:test';
import type { Status } from '../../src/modules/system/model.ts';
import { SECOND_MS } from '../../src/shared/time.ts';
import type { CrashClient } from './crash-client.ts';
import { until } from './until.ts';

const TRUE_WITHIN_MS = 30 * SECOND_MS;

/** Null where nobody can be asked, as without a database. */
async function standOf({ once }: CrashClient, dependency: string): Promise<string | null> {
  const answer = await once('GET', '/v1/status').catch(() => null);
  if (answer?.status !== 200) return null;
  const { dependencies } = (await answer.json()) as Status;
  return dependencies.find(({ name }) => name === dependency)?.status ?? null;
}

/** What status says of a dependency is true half a minute after it changed. */
export async function saidWithin(
  client: CrashClient,
  dependency: string,
  status: 'up' | 'down',
): Promise<void> {
  const beganAt = performance.now();
  await until(`${dependency} is ${status}`, async (saw) => {
    const found = await standOf(client, dependency);
    saw(found);
    return found === status;
  });
  const tookMs = Math.round(performance.now() - beganAt);
  console.log(`  status said ${dependency} ${status} after ${tookMs} ms`);
  expect(tookMs).toBeLessThan(TRUE_WITHIN_MS);
}
