import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { foldChains } from '../../src/modules/purchases/overview/read-folds.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { fillSubscriptions } from '../overview/fill.ts';
import { medianTime, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const CHAINS = Number(process.env.BENCH_CHAINS ?? 100_000);
const ROUNDS = 5;

/** `GET …/purchases/cohorts` of a hundred thousand subscriptions, each of another user, beside one scan of their rows. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { orgId } = org;
    const { appId } = await createTestApp({ deps }, orgId);
    await fillSubscriptions(deps.sql, { orgId, appId }, CHAINS);
    await deps.sql`
      INSERT INTO purchase_links (app_id, org_id, environment, original_transaction_id, kind,
        person_id, linked_at)
      SELECT app_id, org_id, environment, original_transaction_id, 'user',
        'user-' || original_transaction_id, now()
      FROM purchase_chains WHERE app_id = ${appId}`;
    await foldChains(deps, null);
    await deps.sql`ANALYZE purchase_folds, purchase_chains, purchase_links`;
    const roles = [await startRole('api', env)];
    const [api] = roles;
    const ask = async (path: string) => {
      const url = `${api?.address}/v1/apps/${appId}/purchases/${path}`;
      const answer = await fetch(url, { headers: org.key });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
      await answer.text();
    };
    await ask('cohorts?by=first_purchase');
    const scan = await medianTime(ROUNDS, async () => {
      await deps.sql`
        SELECT snapshot->>'productId', storefront, count(*), sum(price_milliunits)
        FROM purchase_transactions WHERE app_id = ${appId} GROUP BY 1, 2`;
    });
    print({ label: 'one scan of every transaction', value: `${scan.toFixed(0)} ms` });
    for (const [label, path] of [
      ['cohorts of a year by month', 'cohorts?by=first_purchase'],
      ['cohorts of a year by month and product', 'cohorts?by=first_purchase&breakdown=product'],
      ['revenue of 400 days', 'revenue?days=400'],
    ] as const) {
      const time = await medianTime(ROUNDS, () => ask(path));
      print({ label, value: `${time.toFixed(0)} ms` });
      printRatio(`time of ${label} to one scan`, time / scan, '≤ 3');
    }
    await Promise.all([...roles.map((role) => role.stop()), deps.close()]);
  });
}
