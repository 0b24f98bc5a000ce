import { join } from 'node:path';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { fillPurchases } from '../support/purchases.ts';
import { median, percentile, print, printRatio } from '../support/report.ts';
import { startProcess, startRole, withServers } from '../support/servers.ts';

const PEOPLE = 200;
const TURNS = 1_000;
const WARM_UP = 200;

type Asked = { name: string; address: string; query: (person: number) => string };

/** Milliseconds until the whole answer is there. */
async function ask(asked: Asked, serviceKey: string, person: number): Promise<number> {
  const url = `${asked.address}/v1/purchases/entitlement?${asked.query(person)}`;
  const start = performance.now();
  const answer = await fetch(url, { headers: { 'x-service-key': serviceKey } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${asked.name} answered ${answer.status}.`);
  return performance.now() - start;
}

/** All in turn, one request at a time, so that what else the machine does hits all alike. */
async function measure(all: Asked[], serviceKey: string): Promise<Map<string, number[]>> {
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
    for (let place = 0; place < all.length; place += 1) {
      const asked = all[(turn + place) % all.length];
      if (!asked) continue;
      const time = await ask(asked, serviceKey, turn % PEOPLE);
      if (turn >= WARM_UP) times.get(asked.name)?.push(time);
    }
  }
  return times;
}

/** `GET /v1/purchases/entitlement`, beside one SELECT by primary key through the same route. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId, serviceKey } = await createTestApp({ deps }, org.orgId);
    const bundleId = 'com.example.bench';
    await deps.sql`
      UPDATE apps SET bundle_id = ${bundleId}, store_app_id = '1' WHERE app_id = ${appId}`;
    await fillPurchases(deps.sql, { orgId: org.orgId, appId, bundleId }, PEOPLE);
    const chains = await deps.sql<{ id: string }[]>`
      SELECT original_transaction_id AS id FROM purchase_chains LIMIT ${PEOPLE}`;
    await deps.close();
    const api = await startRole('api', env);
    const bare = await startProcess(join(import.meta.dir, 'keyed-select.ts'), env);
    const byTransaction = (person: number) => `originalTransactionId=${chains[person]?.id}`;
    const BARE = 'keyed SELECT through the same route';
    const { address } = api;
    const times = await measure(
      [
        { name: BARE, address: bare.address, query: byTransaction },
        { name: 'by userId', address, query: (person) => `userId=u${person}` },
        {
          name: 'by anonymousId of a user',
          address,
          query: (person) => `anonymousId=anonymous-${person}`,
        },
        { name: 'by originalTransactionId', address, query: byTransaction },
      ],
      serviceKey,
    );
    await Promise.all([api.stop(), bare.stop()]);
    const base = median(times.get(BARE) ?? []);
    for (const [name, values] of times) {
      const value = `median ${median(values).toFixed(2)} ms, p99 ${percentile(values, 99).toFixed(1)} ms`;
      print({ label: name === BARE ? name : `entitlement ${name}`, value });
      if (name !== BARE) printRatio(`time ${name}`, median(values) / base, '≤ 1.3');
    }
  });
}
