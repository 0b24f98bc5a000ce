import type { AnyElysia } from 'elysia';
import type { Deps } from '../context.ts';
import { answerInTime, answerWithinMs } from '../http/deadline.ts';
import { syncAllHourly } from '../modules/sales/index.ts';
import { secretsStand } from '../modules/secrets/index.ts';
import { watchReadiness } from '../modules/system/index.ts';
import { unseenProxy } from '../shared/own-origin.ts';
import { SECOND_MS } from '../shared/time.ts';
import { withTimeout } from '../shared/timeout.ts';
import { createApp, createIntake } from './routes.ts';

/** Bun's own 413 has no body; ours at 64 KB has the envelope. */
const MAX_SOCKET_BODY_BYTES = Number.MAX_SAFE_INTEGER;
const DRAIN_MS = 4 * SECOND_MS;

export type RunningServer = { address: string; stop: () => Promise<void> };

/** Before the first webhook fails. */
async function warnOfUnopenedSecrets(deps: Deps): Promise<void> {
  const { good, detail } = await secretsStand(deps);
  if (!good) deps.log.error(detail);
}

function listen(deps: Deps, app: AnyElysia, port: number) {
  const limitMs = answerWithinMs(deps.config);
  return Bun.serve({
    hostname: deps.config.host,
    port,
    maxRequestBodySize: MAX_SOCKET_BODY_BYTES,
    idleTimeout: 60,
    fetch: (request, bunServer) => {
      app.server = bunServer;
      return answerInTime(deps, request, Promise.resolve(app.fetch(request)), limitMs);
    },
  });
}

export async function serve(deps: Deps): Promise<RunningServer> {
  const readiness = await watchReadiness(deps);
  const app = createApp(deps, readiness).use(syncAllHourly(deps));
  const proxy = unseenProxy(deps.config);
  if (proxy !== null) deps.log.warn(proxy);
  warnOfUnopenedSecrets(deps).catch((err: unknown) =>
    deps.log.warn({ err }, 'stored secrets could not be counted'),
  );
  const { port, intakePort } = deps.config;
  const server = listen(deps, app, port);
  const intake =
    intakePort === undefined ? null : listen(deps, createIntake(deps, readiness), intakePort);
  return {
    address: server.url.origin,
    stop: async () => {
      readiness.stop();
      app.store.cron.syncAll.stop();
      const drained = Promise.all([server.stop(), intake?.stop()]);
      await withTimeout(
        drained.then(() => undefined),
        DRAIN_MS,
        () => undefined,
      );
      await intake?.stop(true);
      await server.stop(true);
    },
  };
}
