import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { foldChains } from '../../src/modules/purchases/overview/read-folds.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { medianTime, print, printRatio, timed } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';
import { fillSubscriptions } from './fill.ts';

const CHAINS = Number(process.env.BENCH_CHAINS ?? 100_000);
const ROUNDS = 5;
const LIMIT_MS = 1_500;

/** `GET …/purchases/overview` of a hundred thousand subscriptions, beside a plain sum of their rows. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId } = await createTestApp({ deps }, org.orgId);
    await fillSubscriptions(deps.sql, { orgId: org.orgId, appId }, CHAINS);
    const [counted] = await deps.sql<{ rows: number }[]>`
      SELECT count(*) AS rows FROM purchase_transactions WHERE app_id = ${appId}`;
    print({ label: 'subscriptions, transactions', value: `${CHAINS}, ${counted?.rows}` });
    const api = await startRole('api', env);
    const ask = async (query: string) => {
      const url = `${api.address}/v1/apps/${appId}/purchases/overview${query}`;
      const answer = await fetch(url, { headers: org.key });
      if (!answer.ok) throw new Error(`The overview answered ${answer.status}.`);
      await answer.text();
    };
    const folding = await timed(() => foldChains(deps, null));
    print({ label: 'folding all of them, once', value: `${folding.toFixed(0)} ms` });
    await deps.sql`ANALYZE purchase_folds, purchase_chains`;
    await ask('');
    const plain = await medianTime(ROUNDS, async () => {
      await deps.sql`
        SELECT snapshot->>'productId', storefront, count(*), sum(price_milliunits)
        FROM purchase_transactions WHERE app_id = ${appId} GROUP BY 1, 2`;
    });
    print({ label: 'plain sum of every transaction', value: `${plain.toFixed(0)} ms` });
    for (const [label, query] of [
      ['30 days', ''],
      ['400 days', '?days=400'],
    ] as const) {
      const time = await medianTime(ROUNDS, () => ask(query));
      print({ label: `overview of ${label}`, value: `${time.toFixed(0)} ms` });
      if (query === '') printRatio('time of 30 days', time / LIMIT_MS, '≤ 1 of 1,500 ms, quiet');
      printRatio(`time of ${label} to the plain sum`, time / plain, '≤ 3');
    }
    await Promise.all([api.stop(), deps.close()]);
  });
}
