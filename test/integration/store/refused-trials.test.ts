import { expect, test } from 'bun:test';
import { finishSyncRun } from '../../../src/modules/sales/collection/note-end.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg } from '../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const HOUR_MS = 3_600_000;
const suite = await startStoreSuite(await testDatabase(), { retentionDays: 5 });

test('days of reports that the key may not read wake nobody every minute', async () => {
  const { orgId } = await createTestOrg(suite);
  await placeConnection(suite, orgId);
  // Before the store has published yesterday's subscriptions.
  const early = new Date(NOON.getTime() - 5 * HOUR_MS);
  suite.setNow(early);
  await collectAll(suite, orgId);
  // The key is changed for one with another role.
  const { account } = suite.store;
  account.trouble.set(account.keys[0]!.keyId, 'no_subscriptions');
  for (let run = 0; run < 3; run += 1) {
    suite.setNow(new Date(NOON.getTime() + run * HOUR_MS));
    await collectAll(suite, orgId);
    const { waitMs } = await finishSyncRun(suite.ctx, {
      orgId,
      failures: 0,
      stop: null,
      checked: 0,
    });
    expect(waitMs).toBeGreaterThan(HOUR_MS);
  }
});
