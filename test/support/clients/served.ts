import { afterAll } from 'bun:test';
import { createApp } from '../../../src/app/routes.ts';
import { testDatabase } from '../postgres.ts';
import { createTestApp, createTestOrg, type ServiceOptions, startTestService } from '../service.ts';

/** The real service, listening, with an organization, an app and their keys. */
export async function startServed(options: ServiceOptions = {}) {
  const service = await startTestService(await testDatabase(), options);
  const app = await createApp(service.deps, {
    isReady: () => true,
    isHeld: () => false,
    stop: () => undefined,
  });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, bunServer) => {
      app.server = bunServer;
      return app.fetch(request);
    },
  });
  afterAll(() => server.stop(true));
  const org = await createTestOrg(service);
  const device = await createTestApp(service, org.orgId);
  return { service, url: server.url.origin, org, app: device };
}

export type Served = Awaited<ReturnType<typeof startServed>>;
