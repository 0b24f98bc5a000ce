import { writeFileSync } from 'node:fs';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { sendBatches } from '../support/ingest.ts';
import { option } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { percentile, print } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const SECONDS = Number(option('seconds') ?? 15);
const LOOPS = Number(option('loops') ?? 16);
/** Of the query process's session; the service's own where left out. */
const NICENESS = option('niceness')?.split(',') ?? [];
const RATE = 20;
const FILL_SECONDS = 10;

/** Processes that take all they get, each of a session of its own, as other services of a host. */
function startLoops() {
  const loops = Array.from({ length: LOOPS }, () =>
    Bun.spawn(['sh', '-c', 'while :; do :; done'], { detached: true }),
  );
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}

type Ask = (n: number) => Promise<void>;

async function askFor(seconds: number, ask: Ask): Promise<number[]> {
  const times: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < endsAt; n += 1) {
    const startedAt = performance.now();
    await ask(n);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Intake and questions beside a host's other work. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId, serviceKey } = await createTestApp({ deps }, org.orgId);
    await deps.close();
    const api = await startRole('api', env);
    const query = await startRole('query', env);
    const compactor = await startRole('compactor', env);
    const load = { address: api.address, serviceKey, bodies: 500 };
    let round = 0;
    const ask: Ask = async (n) => {
      const where = { all: [{ field: 'prop:plan', op: 'contains', value: `${round}-${n}` }] };
      const question = { kind: 'series', series: [{ where }], days: 7, timezone: 'UTC' };
      const answer = await fetch(`${api.address}/v1/apps/${appId}/questions/answer`, {
        ...{ method: 'POST', body: JSON.stringify(question) },
        headers: { ...org.key, 'content-type': 'application/json' },
      });
      if (answer.status !== 200) console.log(answer.status, await answer.text());
    };
    try {
      await sendBatches({ ...load, seconds: FILL_SECONDS, connections: 8 });
      await ask(0);
      const stop = startLoops();
      try {
        for (const niceness of NICENESS.length > 0 ? NICENESS : ['own']) {
          if (niceness !== 'own') writeFileSync(`/proc/${query.pid}/autogroup`, niceness);
          round += 1;
          const before = processorMs(query.pid) ?? 0;
          const [times, intake] = await Promise.all([
            askFor(SECONDS, ask),
            sendBatches({ ...load, seconds: SECONDS, connections: 4, rate: RATE }),
          ]);
          const value = `${times.length} questions, p50 ${Math.round(percentile(times, 50))} ms, longest ${Math.round(Math.max(...times))} ms; processor ${(processorMs(query.pid) ?? 0) - before} ms; intake p99 ${intake.p99Ms} ms, ${intake.refused} refused`;
          print({ label: `query process at ${niceness}`, value });
        }
      } finally {
        stop();
      }
    } finally {
      for (const role of [compactor, query, api]) await role.stop();
    }
  });
}
