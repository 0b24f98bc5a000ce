import { describe, expect, test } from 'bun:test';
import type { SyncResult } from '../../../src/temporal/contracts/store.ts';
import { connectBody } from '../../simulators/store/connect-body.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg } from '../../support/service.ts';
import { collectAll, placeConnection, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const SECRET = 'the-cron-secret-of-this-test';
const DAYS = 100;
const database = await testDatabase();
const temporal = await testTemporal();
const suite = await startStoreSuite(
  database,
  { retentionDays: DAYS },
  { temporal, env: { CRON_SECRET: SECRET, FX_RATES_URL: 'file:///nowhere/rates.csv' } },
);
const { sql } = database;
const actor = (orgId: string) => temporal.client.workflow.getHandle(`storeSync/${orgId}`);

async function rowsOf(orgId: string) {
  return [
    ...(await sql`
      SELECT report_type, day::text, line, store_id, units, proceeds FROM store_facts
      WHERE org_id = ${orgId} ORDER BY report_type, day, line`),
  ];
}
const daysOf = async (orgId: string): Promise<number> => {
  const [row] = await sql<{ days: number }[]>`
    SELECT count(*) AS days FROM store_days WHERE org_id = ${orgId}`;
  return row?.days ?? 0;
};
const finished = (orgId: string) =>
  until('the backfill is through', async (saw) => {
    const progress = await actor(orgId).query<SyncResult & { running: boolean }>('progress');
    saw(progress);
    return !progress.running && progress.daysRemaining === 0;
  });

describe('an actor', () => {
  test('goes on when its worker is replaced, and when Temporal has forgotten it', async () => {
    await placeConnection(suite, 'calm');
    await collectAll(suite, 'calm');
    suite.store.asked.clear();
    suite.store.account.delayMs = 15;

    const org = await createTestOrg(suite);
    const first = await startTestWorker(suite.deps, temporal);
    const body = connectBody(suite.store);
    const answer = await suite.call('/v1/store/connection', { body, headers: org.key });
    expect(answer.status).toBe(201);
    await until('some days are there', async () => (await daysOf(org.orgId)) > 10);
    await first.stop();
    const afterStop = await daysOf(org.orgId);
    expect(afterStop).toBeLessThan(2 * DAYS);

    // As after the loss of Temporal's database: no run, no timer, nothing.
    await actor(org.orgId).terminate('as if it had never been');
    const second = await startTestWorker(suite.deps, temporal);
    const woken = await suite.call('/internal/analytics/sync-all', {
      method: 'POST',
      headers: { 'x-cron-secret': SECRET },
    });
    expect(woken.body).toMatchObject({ organizations: 2, errors: [] });
    await finished(org.orgId);
    await second.stop();
    expect(await rowsOf(org.orgId)).toEqual(await rowsOf('calm'));
    // The check of the key, and what was under way when the first worker stopped.
    const again = [...suite.store.asked.values()].filter((times) => times > 1).length;
    expect(again).toBeLessThanOrEqual(3 + 2);
    const { historyLength } = await actor(org.orgId).describe();
    expect(historyLength).toBeLessThan(800);
  });
});
