import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogueOf } from '../../../simulators/play-store/answers.ts';
import { PLANS } from '../../../simulators/play-store/subscription.ts';
import type { GoogleProduct } from '../../../simulators/play-store/product.ts';
import type { GoogleSubscription } from '../../../simulators/play-store/actions.ts';
import { FIRST, type Lived, live, type Person, person } from '../../../support/play-lives.ts';
import {
  best,
  heldOfProduct,
  heldOfSubscriptions,
  livedOf,
  moneyOfProduct,
  moneyOfSubscription,
  movementOf,
  partOf,
} from '../../../support/play-reference.ts';
import { type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { type Trigger, triggersOf } from '../../../support/play-told.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { isFullRun } from '../../../support/random.ts';

const DAY = 86_400_000;
/** TEST_LIVES: another number of them. */
const LIVES = Number(process.env.TEST_LIVES ?? (isFullRun ? 500 : 8));
const LONGEST = 360 * DAY;
const ENTITLED: ReadonlySet<string> = new Set(['active', 'billing_grace']);

const database = await testDatabase();
const { sql } = database;
const service = await startPlayService(database);
const { askNow, clock, play, push, verify } = service;
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Tests are of another environment, and rates of another test. */
const real = <T extends { isTest: boolean; place: object }>(all: T[]): T[] =>
  all.map((one) => ({ ...one, isTest: false, place: { country: 'DE', currency: 'EUR' } }));

type Bought = GoogleSubscription | GoogleProduct;

/** Tokens of one life are not those of another. */
function tokensOf(one: Bought, prefix: string) {
  const name = (text: string) =>
    text.replaceAll('token-', `${prefix}-token-`).replaceAll('GPA.', `GPA.${prefix}.`);
  const rename = <T>(value: T): T => JSON.parse(name(JSON.stringify(value)));
  return {
    scenes: one.scenes.map(({ at, told, answers, current }) => ({
      ...{ at, told: name(told), current: name(current) },
      answers: new Map([...answers].map(([token, body]) => [name(token), rename(body)])),
    })),
    orders: new Map([...one.orders].map(([id, body]) => [name(id), rename(body)])),
    voids: one.voids.map(({ at, row }) => ({ at, row: rename(row) })),
  };
}

type Told = ReturnType<typeof tokensOf>;

/** As Google has it at that time. */
function show({ packageName }: PlayApp, all: readonly Told[], at: number): void {
  clock.now = at;
  for (const { scenes } of all) {
    const scene = scenes.findLast((one) => one.at <= at);
    for (const [token, body] of scene?.answers ?? []) {
      if ('subscriptionState' in body) play.put(token, body, { packageName });
      else play.putProduct(token, body, { packageName });
    }
  }
}

const notificationOf = (token: string) =>
  play.isProduct(token)
    ? { oneTimeProductNotification: { version: '1.0', notificationType: 1, purchaseToken: token } }
    : { subscriptionNotification: { version: '1.0', notificationType: 2, purchaseToken: token } };
const VOIDED = { voidedPurchaseNotification: { purchaseToken: 'any', orderId: 'any' } };

async function happens(app: PlayApp, trigger: Trigger): Promise<void> {
  if ('row' in trigger) await push(app, VOIDED);
  else if (trigger.isNew) await verify(app, trigger.token);
  else await push(app, notificationOf(trigger.token));
  await askNow(app);
}

/** Everything comes to the service as in life, and it takes its own second looks. */
async function tell(app: PlayApp, all: readonly Told[], given: Person, nowMs: number) {
  for (const { orders, voids } of all) {
    for (const order of orders.values()) play.putWholeOrder(order);
    for (const { row } of voids) play.addVoided(row, app.packageName);
  }
  const waiting = all
    .flatMap((one) => [...triggersOf(one, given.fates)])
    .toSorted((a, b) => a.at - b.at);
  for (;;) {
    const [row] = await sql<{ ask: Date | null }[]>`
      SELECT min(ask_at) AS ask FROM play_purchases WHERE app_id = ${app.appId}`;
    const dueAt = row?.ask?.getTime() ?? Infinity;
    const next = waiting[0]?.at ?? Infinity;
    if (Math.min(dueAt, next) > nowMs) break;
    show(app, all, Math.max(clock.now, Math.min(dueAt, next)));
    if (dueAt <= next) await askNow(app);
    else await happens(app, waiting.shift()!);
  }
  show(app, all, nowMs);
  for (const { scenes } of all) {
    for (const token of scenes.at(-1)?.answers.keys() ?? []) await verify(app, token);
  }
  await push(app, VOIDED);
  await askNow(app);
}

async function read(app: PlayApp, path: string) {
  const { status, body } = await service.call(`/v1/apps/${app.appId}/purchases/${path}`, {
    headers: app.org.key,
  });
  expect([path, status]).toEqual([path, 200]);
  return body;
}

async function checkFigures(app: PlayApp, { subscriptions, products, nowMs }: Lived) {
  const from = day(nowMs - LONGEST);
  const window = { fromMs: Date.parse(from), endMs: nowMs };
  const got = (await read(app, `overview?from=${from}&to=${day(nowMs)}&currency=EUR`))
    .subscriptions;
  const { counts } = movementOf(
    subscriptions.map(({ periods, addOns }) => ({ lived: livedOf(periods, addOns), rate: 1 })),
    window,
  );
  expect(got).toMatchObject(counts);
  expect(got.start + got.new + got.returned - got.churned).toBe(got.end);
  const money = [
    ...subscriptions.flatMap((one) => moneyOfSubscription(one, one)),
    ...products.flatMap(moneyOfProduct),
  ];
  const path = `revenue?from=${from}&to=${day(nowMs)}&currency=EUR&timezone=UTC`;
  const { totals } = await read(app, path);
  const until = Date.parse(day(nowMs)) + DAY;
  const isInside = (at: number) => at >= window.fromMs && at < until;
  let [gross, refunded] = [0, 0];
  for (const { at, milliunits, back } of money) {
    if (isInside(at)) gross += milliunits / 10;
    if (!back || !isInside(back.at)) continue;
    refunded += partOf(milliunits / 10, back.milliunits, milliunits);
  }
  const given = totals.refunds.byRefundDay.amountMinor;
  expect([totals.grossMinor, given]).toEqual([gross, refunded]);
}

async function checkEntitlement(app: PlayApp, { subscriptions, products }: Lived) {
  const held = [...subscriptions.flatMap(heldOfSubscriptions), ...products.map(heldOfProduct)];
  const statuses = new Set(best(held).map(({ status }) => status));
  const path = '/v1/purchases/entitlement?userId=ada';
  const { body } = await service.call(path, { headers: app.device });
  expect(body.entitled).toBe([...statuses].some((status) => ENTITLED.has(status)));
  for (const product of new Set(held.flatMap(({ productId }) => productId ?? []))) {
    const wanted = held.some((one) => one.productId === product && ENTITLED.has(one.status));
    const one = await service.call(`${path}&productId=${product}`, { headers: app.device });
    expect([product, one.body.entitled]).toEqual([product, wanted]);
  }
}

let lives = 0;
async function check(drawn: Person): Promise<void> {
  const { subscriptions, products } = drawn;
  const given = {
    ...drawn,
    subscriptions: real(subscriptions),
    products: real(products),
  } as Person;
  const lived = live({ ...given, appStore: [] });
  lives += 1;
  clock.now = FIRST;
  const app = await service.app();
  await service.connect(app);
  const all = [...lived.subscriptions, ...lived.products].map((one) => tokensOf(one, `l${lives}`));
  await tell(app, all, given, lived.nowMs);
  await checkEntitlement(app, lived);
  await checkFigures(app, lived);
}

for (const plan of Object.values(PLANS)) play.putCatalogue(catalogueOf(plan.productId, [plan]));

test('random lives come to the same through pushes, hand-overs and second looks', async () => {
  const began = performance.now();
  await fc.assert(fc.asyncProperty(person, check), { numRuns: LIVES, endOnFailure: true });
  console.log(`${LIVES} lives in ${Math.round((performance.now() - began) / 1_000)} s`);
  expect(play.violations).toEqual([]);
}, 1_800_000);
