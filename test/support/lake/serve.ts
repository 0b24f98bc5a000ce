import { afterAll } from 'bun:test';
import { createApp } from '../../../src/app/routes.ts';
import type { TestEventStore } from '../event-store.ts';
import type { TestDatabase } from '../postgres.ts';
import { startTestService } from '../service.ts';

export const LAKE_TOKEN = 'a-token-of-the-lake-0123';

/** The catalogue of a store's lake at an address of its own. */
export async function serveLake(
  database: TestDatabase,
  { objects }: Pick<TestEventStore, 'objects'>,
  env: Record<string, string> = {},
): Promise<string> {
  const { deps } = await startTestService(database, {
    env: { LAKE: 'on', LAKE_TOKEN, ...env },
    with: () => ({ objects }),
  });
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const server = Bun.serve({ port: 0, fetch: (request) => app.handle(request) });
  afterAll(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/v1/lake`;
}
