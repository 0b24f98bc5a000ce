import { expect, test } from 'bun:test';
import { digestText } from '../../../src/modules/digests/digest-text.ts';
import { writeDigest } from '../../../src/modules/digests/index.ts';
import { link, upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { insertFacts, upsertDay } from '../../../src/modules/sales/days/queries.ts';
import { onlyRow } from '../../../src/shared/assert.ts';
import { eachDay } from '../../../src/shared/pacific.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const suite = await startStoreSuite(await testDatabase(), { retentionDays: 70 });
const { call, deps } = suite;
await startTestQueries(deps);

/** An organization with linked apps, each sold daily but on the missing days. */
async function soldApps(names: readonly string[], missing: readonly string[]) {
  const org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
  const stores = names.map((name, index) => ({
    ...{ storeAppId: `90${index}`, name, bundleId: `com.example.${name}`, sku: name },
  }));
  await upsertStoreApps(deps.sql, org.orgId, stores);
  const apps = await Promise.all(names.map(() => createTestApp(suite, org.orgId)));
  const scope = { orgId: org.orgId, vendorNumber: suite.store.account.vendorNumber };
  await deps.sql.begin(async (tx) => {
    for (const [index, { appId }] of apps.entries()) {
      await link(tx, org.orgId, { storeAppId: `90${index}`, appId, at: NOON });
    }
    for (const day of eachDay('2026-06-01', '2026-07-14')) {
      if (missing.includes(day)) continue;
      const sales = { ...scope, reportType: 'SALES', day } as const;
      const facts = stores.map(({ storeAppId, name, sku }, line) => ({
        ...{ line, storeId: storeAppId, parentStoreId: null, sku, parentSku: null, title: name },
        ...{ productType: '1F', country: 'US', device: 'iPhone', units: '3' },
        ...{ bundleCredit: false, isRenewal: null, trials: 0, proceeds: '0', customerSpend: '0' },
        ...{ proceedsCurrency: 'USD', customerCurrency: 'USD' },
      }));
      await insertFacts(tx, sales, facts);
      const found = { contentHash: day, rows: facts.length };
      const checked = { checkedAt: NOON, emptySeenAt: null, lastError: null };
      await upsertDay(tx, sales, { ...checked, state: 'reported', facts: found });
    }
  });
  const body = { isOn: true, timezone: 'UTC', hour: 8 };
  await call('/v1/digests', { method: 'PUT', headers: org.key, body });
  return { ...org, apps };
}

async function digestOf({ orgId }: { orgId: string }) {
  await writeDigest({ deps, requestId: 'test' }, { orgId, startedMs: NOON.getTime() });
  const rows = await deps.sql<
    { digest: any }[]
  >`SELECT digest FROM digests WHERE org_id = ${orgId}`;
  return onlyRow(rows).digest;
}

test('a missing day of two apps is said once for the organization, and of no app', async () => {
  const org = await soldApps(['Focus', 'Sleep'], ['2026-07-02']);
  for (const { appId } of org.apps) {
    const insights = await call(`/v1/apps/${appId}/insights`, { headers: org.key });
    expect(insights.body.store.missingDays).toEqual(['2026-07-02']);
  }
  const digest = await digestOf(org);
  expect(digest.alerts).toEqual([
    expect.stringMatching(/^Sales days are missing: 1 day of these holds .*2026-07-02/),
  ]);
  expect(digest.apps).toHaveLength(2);
  for (const { alerts } of digest.apps) expect(alerts.join()).not.toContain('missing');
  const lines = digestText(digest, 'https://example.com/off').split('\n');
  expect(lines.filter((line) => line.includes('Sales days are missing'))).toHaveLength(1);
});

test('nothing is said where no day is missing', async () => {
  const digest = await digestOf(await soldApps(['Focus', 'Sleep'], []));
  expect(digest.alerts).toEqual([]);
});
