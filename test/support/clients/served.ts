import { afterAll } from 'bun:test';
import { serve } from '../../../src/http/serve.ts';
import { testDatabase } from '../postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../service.ts';

/** The real service, listening, with an organization, an app and their keys. */
export async function startServed(env: Record<string, string> = {}) {
  const service = await startTestService(await testDatabase(), { env: { PORT: '0', ...env } });
  const server = await serve(service.deps);
  afterAll(server.stop);
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  return { service, url: server.address, org, app };
}

export type Served = Awaited<ReturnType<typeof startServed>>;
