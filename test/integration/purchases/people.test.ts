import { expect, test } from 'bun:test';
import { readRecords } from '../../../src/sql/queries.ts';
import { purchaseRows } from '../../../src/lake/tables/facts-queries.ts';
import { readPayments } from '../../../src/modules/experiments/comparison/measure.ts';
import { selectBuyers } from '../../../src/modules/purchases/cohorts/buyers-queries.ts';
import { readFolds } from '../../../src/modules/purchases/overview/queries.ts';
import { entitledPeople } from '../../../src/modules/purchases/entitlement/entitled-people.ts';
import { foldChains } from '../../../src/modules/purchases/overview/read-folds.ts';
import { PURCHASES_OF_PERSON } from '../../../src/modules/purchases/person-records-queries.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { everyRow } from '../../support/everywhere.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';
import { until } from '../../support/until.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, deps, store } = service;
const { sql } = deps;
await startTestQueries(deps);
clock.now = Date.UTC(2026, 9, 20, 12);

/** Who holds each purchase, by everything that says so. */
async function holdersOf(app: PurchaseApp) {
  const { orgId } = app.org;
  const [from, to] = [new Date(clock.now - 30 * DAY), new Date(clock.now)];
  const ctx = { deps, orgId, requestId: 'test', scope: { orgId, appId: app.appId } };
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
    segment: [
      ...((await entitledPeople(deps, scope, new Map([['all', {}]]))).get('all') ?? []),
    ].toSorted(),
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
  // Handed over by a backend that writes the id in the other letters.
  const spelt = crypto.randomUUID();
  await opened(app, spelt, 'anonymous-spelt');
  await handOver({ userId: spelt.toUpperCase() });
  const people = [swift, web, silent, 'number-7', 'device-0001', 'number-8', spelt].toSorted();
  expect(await holdersOf(app)).toEqual({
    ...{ experiments: people, purchases: people, subscriptions: people, lake: people },
    ...{ cohorts: people, segment: people },
    counts: { joined: 7, known: 7 },
  });
});

/** A user of a purchase that is told of with their account, in capitals as Swift writes it. */
async function signedFor() {
  const app = await service.app();
  const userId = crypto.randomUUID().toUpperCase();
  const bought = buy(app, clock.now - 5 * DAY, { appAccountToken: userId.toLowerCase() });
  await service.deliver(bought, bought.told[0]!, app);
  return { app, userId, bought };
}

async function erase(app: PurchaseApp, userId: string) {
  const path = `/v1/apps/${app.appId}/people/${userId}`;
  const { status } = await service.call(path, { method: 'DELETE', headers: app.org.key });
  expect(status).toBeLessThan(300);
}

/** Any spelling, in any table. */
async function tablesNaming(userId: string): Promise<string[]> {
  const rows = await everyRow(sql);
  const isNamed = ({ text }: { text: string }) => text.toLowerCase().includes(userId.toLowerCase());
  // The id is known until the files are clean.
  const named = rows.filter((row) => row.table !== 'event_erasures' && isNamed(row));
  return named.map(({ table }) => table);
}

test('an erased user is not the person of what is signed for them afterwards', async () => {
  const { app, userId, bought } = await signedFor();
  const scope = { orgId: app.org.orgId, appId: app.appId };
  expect((await holdersOf(app)).counts).toEqual({ joined: 1, known: 1 });
  await erase(app, userId);
  await erasePlaces(sql, PURCHASES_OF_PERSON, scope, { ids: [userId], devices: [userId] });
  expect(await tablesNaming(userId)).toEqual([]);
  bought.act('cancel');
  await service.deliver(bought, bought.told[1]!, app);
  expect(await tablesNaming(userId)).toEqual([]);
  const { counts, purchases, lake } = await holdersOf(app);
  expect({ counts, purchases, lake }).toEqual({
    counts: { joined: 0, known: 0 },
    purchases: [],
    lake: [],
  });
});

test.each(['told of', 'new', 'handed over'])(
  'a purchase that is %s during the erasure of its user names nobody',
  async (purchase) => {
    const { app, userId, bought } = await signedFor();
    bought.act('cancel');
    const other = buy(app, clock.now - 4 * DAY, { appAccountToken: userId.toLowerCase() });
    const areWaiting = (count: number) =>
      until(`${count} wait for a lock`, async () => {
        const waiting = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'`;
        return waiting.length >= count;
      });
    const holding = await sql.reserve();
    await holding`BEGIN`;
    await holding`SELECT FROM event_catalogue FOR UPDATE`;
    const erasing = erase(app, userId);
    await areWaiting(1);
    const tell = {
      'told of': () => service.deliver(bought, bought.told[1]!, app),
      new: () => service.deliver(other, other.told[0]!, app),
      'handed over': async () => {
        const { appAccountToken: _, ...unsigned } = other.newest;
        const body = { signedTransaction: store.sign(unsigned), userId };
        await service.call('/v1/purchases/verify', { headers: app.device, body });
      },
    }[purchase];
    const telling = tell?.();
    await Promise.race([telling, areWaiting(2)]);
    await holding`COMMIT`;
    holding.release();
    await Promise.all([erasing, telling]);
    expect(await tablesNaming(userId)).toEqual([]);
  },
);

test('two accounts of one customer of the store are in no export of each other, and each can be erased', async () => {
  const app = await service.app();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const bought = buy(app, clock.now - 70 * DAY, { appAccountToken: first });
  await service.deliver(bought, bought.told[0]!, app);
  bought.cancel();
  bought.expire();
  bought.now = clock.now - DAY;
  bought.terms = { appAccountToken: second };
  bought.resubscribe();
  await service.deliver(bought, bought.told.at(-1)!, app);
  const exported = (personId: string) =>
    service.call(`/v1/apps/${app.appId}/person?personId=${personId}`, { headers: app.org.key });
  expect((await exported(first)).text).toContain(first);
  expect((await exported(first)).text).not.toContain(second);
  expect((await exported(second)).text).not.toContain(first);
  await erase(app, first);
  expect(await tablesNaming(first)).toEqual([]);
  expect((await exported(second)).text).toContain(second);
  await erase(app, second);
  expect(await tablesNaming(second)).toEqual([]);
});

test('an account that the release before stores again links nobody and goes with the next notice', async () => {
  const { app, userId, bought } = await signedFor();
  await erase(app, userId);
  const token = userId.toLowerCase();
  await sql`UPDATE purchase_chains SET app_account_token = ${token} WHERE app_id = ${app.appId}`;
  await sql`
    UPDATE purchase_transactions SET snapshot = snapshot || jsonb_build_object('appAccountToken', ${token}::text)
    WHERE app_id = ${app.appId}`;
  const { appAccountToken: _, ...unsigned } = bought.newest;
  const body = { signedTransaction: store.sign(unsigned), userId: 'number-9' };
  const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
  expect(answer.status).toBe(200);
  const links = await sql`
    SELECT kind, person_id FROM purchase_links WHERE app_id = ${app.appId}`;
  expect([...links]).toEqual([{ kind: 'user', person_id: 'number-9' }]);
  bought.act('cancel');
  await service.deliver(bought, bought.told[1]!, app);
  expect(await tablesNaming(userId)).toEqual([]);
});
