import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { BOMBS, bomb, DOORS, ENCODINGS } from '../../test/support/bombs.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { benchFiles } from '../support/event-files.ts';
import { holdToHalfACore } from '../support/half-a-core.ts';
import { sendTaken } from '../support/ingest.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';
import { measureCosts } from './cost.ts';

/** `--seconds=N` of each turn, `--rounds=N`, `--addresses=N` that the stranger sends from. */
const SECONDS = Number(option('seconds') ?? 60);
const ROUNDS = Number(option('rounds') ?? 5);
const ADDRESSES = Number(option('addresses') ?? 1);
const EVENTS = 100_000;
/** Batches a second: 2,400 in a minute; reports as fast as they are answered. */
const RATE = 40;
const CONNECTIONS = 8;
const BODIES = 500;
const BOMB_BYTES = 7_500_000;

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

type Sent = { method: string; path: string; headers: Record<string, string>; body: Uint8Array };

function written({ method, path, headers, body }: Sent): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers, 'content-length': body.length });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]).toString('base64');
}

const address = (turn: number) => ({ 'x-forwarded-for': `198.18.0.${turn % ADDRESSES}` });

/** Every format and encoding; the kinds of bombs take turns. */
function hostile(): string[] {
  const kinds = Object.values(BOMBS);
  let turn = 0;
  return Object.values(ENCODINGS).flatMap(({ pack, encoding }) =>
    Object.values(DOORS).map(({ path, headers }) => {
      turn += 1;
      const body = pack(bomb(kinds[turn % kinds.length] ?? '', BOMB_BYTES));
      const encoded = encoding === undefined ? {} : { 'content-encoding': encoding };
      const json = { 'content-type': 'application/json' };
      const all = { ...json, ...address(turn), ...headers, ...encoded };
      return written({ method: 'POST', path, headers: all, body });
    }),
  );
}

const harmless = (): string[] =>
  Array.from({ length: 200 }, (_, turn) =>
    written({
      method: 'GET',
      path: '/v1/posthog/array/phc_theirs/config',
      headers: address(turn),
      body: new Uint8Array(),
    }),
  );

async function askReports(url: string, apiKey: string): Promise<number> {
  let turn = 0;
  const { latency, non2xx } = await autocannon({
    url,
    connections: 1,
    duration: SECONDS,
    headers: { 'x-api-key': apiKey },
    requests: [
      {
        setupRequest: (request) => {
          turn += 1;
          return { ...request, path: `${new URL(url).pathname}?days=${1 + (turn % 30)}` };
        },
      },
    ],
  });
  if (non2xx > 0) throw new Error(`${non2xx} reports were not answered.`);
  return latency.p99;
}

type Figures = { reports: number[]; ingest: number[]; grownMb: number[] };
const none = (): Figures => ({ reports: [], ingest: [], grownMb: [] });

/** Reports and ingest of others beside a stranger with 200 connections and half a core. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env: given, dataDir }) => {
    const port = await freePort();
    const env = {
      ...given,
      INTAKE_PORT: String(port),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'fatal',
    };
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId, serviceKey } = await createTestApp({ deps }, org.orgId);
    await benchFiles(deps.sql, dataDir, EVENTS, { orgId: org.orgId, appId });
    await deps.close();
    const kinds = {
      harmless: join(dataDir, 'harmless.json'),
      hostile: join(dataDir, 'hostile.json'),
    };
    await Bun.write(kinds.harmless, JSON.stringify(harmless()));
    await Bun.write(kinds.hostile, JSON.stringify(hostile()));
    // The limits of known callers do not bound what is measured; those of strangers do.
    const api = await startRole('api', { ...env, RATE_LIMIT_SCALE: '20' });
    const others = [await startRole('compactor', env), await startRole('query', env)];
    const ingest = () =>
      sendTaken({
        address: api.address,
        serviceKey,
        seconds: SECONDS,
        connections: CONNECTIONS,
        rate: RATE,
        bodies: BODIES,
      });
    const measure = async (file: string, into: Figures) => {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 'client.ts')], {
        env: { ...process.env, STRANGER_PORT: String(port), STRANGER_REQUESTS: file },
        stdout: 'ignore',
        stderr: 'ignore',
      });
      const release = holdToHalfACore(child);
      const beforeMb = rssMb(api.pid);
      let mostMb = beforeMb;
      const looks = setInterval(() => {
        mostMb = Math.max(mostMb, rssMb(api.pid));
      }, 100);
      try {
        const [reports, { p99Ms }] = await Promise.all([
          askReports(`${api.address}/v1/apps/${appId}/events/summary`, org.apiKey),
          ingest(),
        ]);
        into.reports.push(reports);
        into.ingest.push(p99Ms);
        into.grownMb.push(mostMb - beforeMb);
      } finally {
        clearInterval(looks);
        release();
        child.kill('SIGKILL');
        await child.exited;
      }
    };
    if (option('costs') !== 'no') await measureCosts(api.pid, `http://127.0.0.1:${port}`);
    await measure(kinds.harmless, none());
    const [beside, against] = [none(), none()];
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(kinds.harmless, beside);
      await measure(kinds.hostile, against);
    }
    for (const one of [api, ...others]) await one.stop();
    for (const name of ['reports', 'ingest'] as const) {
      const [calm, harmed] = [median(beside[name]), median(against[name])];
      print({
        label: `${name} beside harmless requests, p99`,
        value: `${beside[name].join(', ')} ms`,
      });
      print({ label: `${name} beside bombs, p99`, value: `${against[name].join(', ')} ms` });
      printRatio('  medians', harmed / calm, '≤ 2');
    }
    print({
      label: 'memory of the API beside bombs',
      value: `+${against.grownMb.map((mb) => mb.toFixed(0)).join(', ')} MB   (goal ≤ 200 MB)`,
    });
  });
}
