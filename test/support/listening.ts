import { afterAll } from 'bun:test';
import { createApp } from '../../src/app/routes.ts';
import { testDatabase } from './postgres.ts';
import { startTestService } from './service.ts';
import type { TestTemporal } from './temporal.ts';

/** The service on a port of its own, which it knows: for browsers. */
export async function startListening(env: Record<string, string> = {}, temporal?: TestTemporal) {
  let handle = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // As the service has it: on a busy machine an answer takes longer than what is usual.
    idleTimeout: 60,
    fetch: (request) => handle(request),
  });
  afterAll(() => server.stop(true));
  const database = await testDatabase();
  const service = await startTestService(database, {
    ...(temporal && { temporal }),
    env: { PORT: String(server.port), ...env },
  });
  const app = await createApp(service.deps, {
    isReady: () => true,
    isHeld: () => false,
    stop: () => undefined,
  });
  handle = async (request) => {
    app.server = server;
    return app.fetch(request);
  };
  return { service, database, url: `http://localhost:${server.port}`, port: server.port };
}
