import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { must } from '../../src/shared/assert.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { option } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';
import { FORMATS, ownBatches } from './batches.ts';

const CONNECTIONS = 64;
const SECONDS = Number(option('seconds') ?? 3);
const ROUNDS = Number(option('rounds') ?? 5);
const SIZE = Number(option('batch') ?? EVENTS_PER_BATCH);
const BODIES = 200;

type Sender = { url: string; headers: Record<string, string>; bodies: string[] };

/** Of the API process, in microseconds an event. */
async function processorUs(pid: number, { url, headers, bodies }: Sender): Promise<number> {
  const usedMs = () => must(processorMs(pid), 'the process runs');
  const beforeMs = usedMs();
  let turn = 0;
  const result = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'content-type': 'application/json', ...headers },
    requests: [
      {
        setupRequest: (request) => {
          turn += 1;
          return { ...request, body: bodies[turn % bodies.length] ?? '' };
        },
      },
    ],
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx.`);
  return ((usedMs() - beforeMs) * 1_000) / (result['2xx'] * SIZE);
}

function sendersOf(own: string, intake: string, key: string): Record<string, Sender> {
  const batches = ownBatches(BODIES, SIZE);
  const senders: Record<string, Sender> = {
    own: {
      url: `${own}/v1/events`,
      headers: { 'x-service-key': key },
      bodies: batches.map((batch) => JSON.stringify(batch)),
    },
  };
  for (const [name, { path, headers, write }] of Object.entries(FORMATS)) {
    senders[name] = {
      url: `${intake}${path}`,
      headers: headers?.(key) ?? {},
      bodies: batches.map((batch) => JSON.stringify(write(batch, key))),
    };
  }
  return senders;
}

/**
 * The same events through each format of other products' clients and through `POST /v1/events`, in
 * turns; by processor time, since other work shares the machine.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { serviceKey } = await createTestApp({ deps }, org.orgId);
    await deps.close();
    const port = await freePort();
    const api = await startRole('api', { ...env, INTAKE_PORT: String(port) });
    const senders = sendersOf(api.address, `http://127.0.0.1:${port}`, serviceKey);
    for (const sender of Object.values(senders)) await processorUs(api.pid, sender);
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const figures: Record<string, number> = {};
      for (const [name, sender] of Object.entries(senders)) {
        figures[name] = await processorUs(api.pid, sender);
      }
      rounds.push(figures);
    }
    await api.stop();
    const of = (name: string) => rounds.map((figures) => figures[name] ?? Number.NaN);
    for (const name of Object.keys(senders)) {
      print({
        label: `${name}, ${SIZE} events a batch`,
        value: `${median(of(name)).toFixed(1)} µs of processor an event`,
      });
    }
    for (const name of Object.keys(FORMATS)) {
      const own = of('own');
      printRatio(name, median(of(name).map((us, round) => (own[round] ?? 0) / us)), '≥ 0.8');
    }
  });
}
