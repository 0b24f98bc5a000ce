import { join } from 'node:path';
import autocannon from 'autocannon';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { fillPurchases } from '../support/purchases.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startProcess, withServers } from '../support/servers.ts';

const PEOPLE = 1_000;
const CONNECTIONS = 16;
const SECONDS = 1;
/** Short and many, so that what else the machine does hits all alike. */
const ROUNDS = 9;

type Figures = { mean: number; p99: number };

async function measure(address: string, serviceKey: string, queries: string[]): Promise<Figures> {
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'x-service-key': serviceKey },
    requests: queries.map((query) => ({ path: `/v1/purchases/entitlement?${query}` })),
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return { mean: result.requests.average, p99: result.latency.p99 };
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
    const entry = join(import.meta.dir, '../../src/processes/api.ts');
    const api = await startProcess(entry, { ...env, PORT: '0' });
    const bare = await startProcess(join(import.meta.dir, 'keyed-select.ts'), env);
    const ids = Array.from({ length: PEOPLE }, (_, index) => index);
    const byTransaction = chains.map(({ id }) => `originalTransactionId=${id}`);
    const questions = {
      userId: ids.map((id) => `userId=u${id}`),
      'anonymousId of a user': ids.map((id) => `anonymousId=anonymous-${id}`),
      originalTransactionId: byTransaction,
    };
    const rounds: Record<string, Figures>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const figures: Record<string, Figures> = {
        bare: await measure(bare.address, serviceKey, byTransaction),
      };
      for (const [name, queries] of Object.entries(questions)) {
        figures[name] = await measure(api.address, serviceKey, queries);
      }
      rounds.push(figures);
    }
    await Promise.all([api.stop(), bare.stop()]);
    const of = (name: string, figure: keyof Figures) =>
      median(rounds.map((one) => one[name]?.[figure] ?? Number.NaN));
    const show = (name: string) =>
      `${of(name, 'mean').toFixed(0)} requests/s, p99 ${of(name, 'p99').toFixed(0)} ms`;
    print({ label: 'keyed SELECT through the same route', value: show('bare') });
    for (const name of Object.keys(questions)) {
      print({ label: `entitlement by ${name}`, value: show(name) });
      const ratios = rounds.map((one) => (one.bare?.mean ?? 0) / (one[name]?.mean ?? 1));
      printRatio(`time by ${name}`, median(ratios), '≤ 1.3');
    }
  });
}
