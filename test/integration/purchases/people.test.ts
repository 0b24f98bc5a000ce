import { expect, test } from 'bun:test';
import { readRecords } from '../../../src/sql/queries.ts';
import { purchaseRows } from '../../../src/lake/tables/facts-queries.ts';
import { readPayments } from '../../../src/modules/experiments/comparison/payments.ts';
import { selectBuyers } from '../../../src/modules/purchases/cohorts/buyers-queries.ts';
import { foldChains } from '../../../src/modules/purchases/overview/fold-chains.ts';
import { readFolds } from '../../../src/modules/purchases/overview/queries.ts';
import { PURCHASES_OF_PERSON } from '../../../src/modules/purchases/person-records-queries.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { everyRow } from '../../support/everywhere.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, deps, store } = service;
const { sql } = deps;
clock.now = Date.UTC(2026, 9, 20, 12);

/** Who holds each purchase, by everything that says so. */
async function holdersOf(app: PurchaseApp) {
  const { orgId } = app.org;
  const [from, to] = [new Date(clock.now - 30 * DAY), new Date(clock.now)];
  const ctx = { deps, orgId, requestId: 'test', app: { id: app.appId } };
  const { payments, joined } = await readPayments(ctx as never, { from, to });
  const scope = { orgId, appId: app.appId, environment: 'Production' as const };
  await foldChains(deps, scope);
  const asked = { fromMs: from.getTime(), endMs: to.getTime(), ids: null, holders: true };
  let known = 0;
  for await (const rows of readFolds(sql, scope, asked)) {
    known += rows.filter(({ isHeld }) => isHeld).length;
  }
  const inView = async (name: 'purchases' | 'subscriptions') => {
    const people: unknown[] = [];
    for await (const rows of readRecords(sql, name, orgId)) {
      for (const row of rows) people.push('person_id' in row ? row.person_id : null);
    }
    return people.filter((one) => one !== null).toSorted();
  };
  const inLake: (string | null)[] = [];
  for await (const rows of purchaseRows(sql, '2026-10-01')) {
    for (const row of rows) {
      if (row.app_id !== app.appId) continue;
      inLake.push(row.user_id ?? row.anonymous_id ?? null);
    }
  }
  return {
    experiments: payments.map(({ person }) => person).toSorted(),
    cohorts: [...(await selectBuyers(sql, scope)).values()].toSorted(),
    counts: { joined, known },
    purchases: await inView('purchases'),
    subscriptions: await inView('subscriptions'),
    lake: inLake.filter((one) => one !== null).toSorted(),
  };
}

const opened = (app: PurchaseApp, userId: string, anonymousId: string) =>
  sql`INSERT INTO event_people (app_id, org_id, anonymous_id, user_id, mapped_at,
      catalogued_seq)
    VALUES (${app.appId}, ${app.org.orgId}, ${anonymousId}, ${userId}, now(), 1)`;

test('a purchase has the same person everywhere, by user, account token or device', async () => {
  const app = await service.app();
  const swift = crypto.randomUUID().toUpperCase();
  const [web, silent] = [crypto.randomUUID(), crypto.randomUUID()];
  await opened(app, swift, 'anonymous-swift');
  await opened(app, web, 'anonymous-web');
  const tell = async (appAccountToken?: string) => {
    const bought = buy(app, clock.now - 5 * DAY, appAccountToken ? { appAccountToken } : {});
    for (const told of bought.told) await service.deliver(bought, told, app);
    return bought;
  };
  // By notification alone: nothing but the token says whose they are.
  await tell(swift.toLowerCase());
  await tell(web);
  await tell(silent);
  await tell();
  const handOver = async (ids: object, appAccountToken?: string) => {
    const bought = await tell(appAccountToken);
    const body = { signedTransaction: store.sign(bought.newest), ...ids };
    const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
    expect(answer.status).toBe(200);
  };
  await handOver({ userId: 'number-7' });
  await handOver({ anonymousId: 'device-0001' });
  // Bound to the token by the one who presented it.
  await handOver({ userId: 'number-8' }, crypto.randomUUID());
  const people = [swift, web, silent, 'number-7', 'device-0001', 'number-8'].toSorted();
  expect(await holdersOf(app)).toEqual({
    ...{ experiments: people, purchases: people, subscriptions: people, lake: people },
    cohorts: people,
    counts: { joined: 6, known: 6 },
  });
});

test('an erased user is not the person of what is signed for them afterwards', async () => {
  const app = await service.app();
  const userId = crypto.randomUUID().toUpperCase();
  const scope = { orgId: app.org.orgId, appId: app.appId };
  const bought = buy(app, clock.now - 5 * DAY, { appAccountToken: userId.toLowerCase() });
  await service.deliver(bought, bought.told[0]!, app);
  expect((await holdersOf(app)).counts).toEqual({ joined: 1, known: 1 });
  const path = `/v1/apps/${app.appId}/people/${userId}`;
  const erased = await service.call(path, { method: 'DELETE', headers: app.org.key });
  expect(erased.status).toBeLessThan(300);
  await erasePlaces(sql, PURCHASES_OF_PERSON, scope, { ids: [userId], devices: [userId] });
  /** Any spelling, in any table. */
  const named = async () => {
    const rows = await everyRow(sql);
    const isNamed = ({ text }: { text: string }) =>
      text.toLowerCase().includes(userId.toLowerCase());
    // The id is known until the files are clean.
    return rows.filter((row) => row.table !== 'event_erasures' && isNamed(row));
  };
  expect((await named()).map(({ table }) => table)).toEqual([]);
  bought.act('cancel');
  await service.deliver(bought, bought.told[1]!, app);
  expect((await named()).map(({ table }) => table)).toEqual([]);
  const { counts, purchases, lake } = await holdersOf(app);
  expect({ counts, purchases, lake }).toEqual({
    counts: { joined: 0, known: 0 },
    purchases: [],
    lake: [],
  });
});
