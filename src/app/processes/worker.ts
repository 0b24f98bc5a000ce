import type { Deps } from '../../context.ts';
import { checkOwners } from '../../event-store/keep.ts';
import { type CodecServer, startCodecServer } from '../../temporal/codec-server.ts';
import { openPayloadCodec } from '../../temporal/data-converter.ts';
import { createDeps } from '../deps.ts';
import { keepFilesWhole } from '../keep-whole.ts';
import { keepWorker } from '../keep-worker.ts';
import { keepTemporalPrepared, workflowDetails } from '../prepare-temporal.ts';
import { keepLacksNoted, reconcileForever } from '../reconcile.ts';
import { keepWorkNice } from './nice-work.ts';
import { runProcess } from './run.ts';

function startCodec({ config, secrets, log }: Deps): CodecServer | null {
  const { payloads, codecPort, codecToken: token, uiPort } = config.temporal;
  if (payloads === 'plain') return null;
  if (token === undefined) {
    log.info('no codec endpoint for the Temporal UI: TEMPORAL_CODEC_TOKEN is not set');
    return null;
  }
  const codec = openPayloadCodec(secrets);
  const uiOrigins = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${uiPort}`);
  const server = startCodecServer(codec, { port: codecPort, token, uiOrigins });
  log.info({ address: server.address }, 'codec endpoint of the Temporal UI listening');
  return server;
}

void runProcess('worker', async ({ config }) => {
  const deps = await createDeps(config, 'worker');
  const worker = keepWorker(deps);
  const codec = startCodec(deps);
  const stopping = new AbortController();
  const loops = [
    reconcileForever(deps, stopping.signal),
    keepTemporalPrepared(deps, stopping.signal),
    checkOwners(deps, stopping.signal),
    keepFilesWhole(deps, stopping.signal),
    keepWorkNice(stopping.signal),
    keepLacksNoted(deps, stopping.signal),
  ];
  worker.done.catch((error: unknown) => {
    deps.log.fatal({ err: error }, 'Temporal worker failed');
    process.exit(1);
  });
  return {
    details: await workflowDetails(deps),
    sql: deps.sql,
    registry: deps.metrics.registry,
    stop: async () => {
      stopping.abort();
      await Promise.all([...loops, worker.stop(), codec?.stop()]);
      await deps.close();
    },
  };
});
