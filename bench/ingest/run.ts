import { join } from 'node:path';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { residentMb } from '../../test/support/memory.ts';
import { type IngestFigures, sendTaken } from '../support/ingest.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startProcess, startRole, withServers } from '../support/servers.ts';
import { EVENTS_PER_BATCH } from './batch.ts';

const CONNECTIONS = 64;
const LONG = process.argv.includes('--long');
/** Ten minutes under load with `--long`: what resident memory does. */
const SECONDS = LONG ? 60 : 6;
const ROUNDS = LONG ? 5 : 3;
const BODIES = 500;

const load = (address: string, serviceKey: string, seconds: number) =>
  sendTaken({ address, serviceKey, seconds, connections: CONNECTIONS, bodies: BODIES });

/** Durable `POST /v1/events`, beside the same route with the write cut out. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { serviceKey } = await createTestApp({ deps }, org.orgId);
    await deps.close();
    const api = await startRole('api', env);
    const bare = await startProcess(join(import.meta.dir, 'without-write.ts'), env);
    for (const one of [api, bare]) await load(one.address, serviceKey, 2);
    const durable: IngestFigures[] = [];
    const without: IngestFigures[] = [];
    const resident: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      durable.push(await load(api.address, serviceKey, SECONDS));
      resident.push(residentMb(api.pid));
      without.push(await load(bare.address, serviceKey, SECONDS));
    }
    await Promise.all([api.stop(), bare.stop()]);
    const rate = median(durable.map((one) => one.rate));
    const bareRate = median(without.map((one) => one.rate));
    const events = (batches: number) =>
      `${batches.toFixed(0)} batches/s = ${(batches * EVENTS_PER_BATCH).toFixed(0)} events/s`;
    print({ label: 'durable', value: events(rate) });
    print({ label: 'the same route without the write', value: events(bareRate) });
    printRatio('ratio', rate / bareRate, '≥ 0.85');
    const p99 = Math.max(...durable.map((one) => one.p99Ms));
    print({ label: 'p99, 64 connections', value: `${p99} ms   (goal ≤ 25 ms)` });
    print({
      label: `resident memory after each ${SECONDS} s of load`,
      value: `${resident.map((mb) => mb.toFixed(0)).join(', ')} MB   (goal ≤ 300 MB, flat)`,
    });
  });
}
