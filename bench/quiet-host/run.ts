import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { sendTaken } from '../support/ingest.ts';
import { option } from '../support/options.ts';
import { percentile, print } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const SECONDS = Number(option('seconds') ?? 30);
/** Batches of twenty a second on the loud host: 4,700 events. */
const LOUD_RATE = Number(option('rate') ?? 235);
const QUIET_EVERY_MS = 250;
const POLL_MS = 50;

/** Events of an app that files hold. */
async function inFiles(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_file_apps WHERE app_id = ${appId}`;
  return row?.rows ?? 0;
}

/** Sends an event now and then until the time is over; when each was acknowledged. */
async function sendNowAndThen(address: string, serviceKey: string): Promise<number[]> {
  const takenAt: number[] = [];
  const endsAt = performance.now() + SECONDS * 1_000;
  while (performance.now() < endsAt) {
    const events = [{ name: 'quiet', anonymousId: 'somebody', id: crypto.randomUUID() }];
    const answer = await fetch(`${address}/v1/events`, {
      method: 'POST',
      headers: { 'x-service-key': serviceKey, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    if (answer.status !== 202) throw new Error(`A quiet batch was answered ${answer.status}.`);
    takenAt.push(performance.now());
    await Bun.sleep(QUIET_EVERY_MS);
  }
  return takenAt;
}

/** How long the events of a quiet host wait for their files beside a loud one. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const shared = { ...env, EVENTS_URL: String(pathToFileURL(join(dataDir, 'events'))) };
    const deps = await createDeps(loadConfig(shared), 'api');
    const org = await createTestOrg({ deps });
    const [loud, quiet] = [
      await createTestApp({ deps }, org.orgId),
      await createTestApp({ deps }, org.orgId),
    ];
    await deps.close();
    const host = async (name: string) => {
      const own = { ...shared, DATA_DIR: join(dataDir, name) };
      return [await startRole('api', own), await startRole('compactor', own)] as const;
    };
    const hosts = [await host('loud'), await host('quiet')] as const;
    const [[loudApi], [quietApi]] = hosts;
    const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 1, applicationName: 'bench' });
    const loading = sendTaken({
      address: loudApi.address,
      serviceKey: loud.serviceKey,
      seconds: SECONDS + 5,
      connections: 16,
      rate: LOUD_RATE,
      bodies: 500,
      renew: (body, turn) => body.replaceAll('"id":"', `"id":"${turn.toString(36)}.`),
    });
    const sending = sendNowAndThen(quietApi.address, quiet.serviceKey);
    let isSent = false;
    void sending.finally(() => {
      isSent = true;
    });
    /** When so many were in files, by the place of the event. */
    const seenAt: number[] = [];
    for (let sent = Number.POSITIVE_INFINITY; seenAt.length < sent; ) {
      if (isSent) sent = (await sending).length;
      const found = await inFiles(sql, quiet.appId);
      while (seenAt.length < found) seenAt.push(performance.now());
      await Bun.sleep(POLL_MS);
    }
    const takenAt = await sending;
    const loudFigures = await loading;
    await sql.end();
    for (const one of hosts.flat()) await one.stop();
    const waits = takenAt.map((at, index) => (seenAt[index] ?? Number.NaN) - at);
    print({ label: 'events a second on the loud host', value: (loudFigures.rate * 20).toFixed(0) });
    print({
      label: `${waits.length} events of the quiet host, until in files`,
      value: `median ${percentile(waits, 50).toFixed(0)} ms, p99 ${percentile(waits, 99).toFixed(0)} ms, longest ${Math.max(...waits).toFixed(0)} ms   (goal ≤ 4,000 ms)`,
    });
  });
}
