import fc from 'fast-check';
import { ACTIONS, type Action, GoogleSubscription } from '../simulators/play-store/actions.ts';
import {
  GoogleProduct,
  PRODUCT_ACTIONS,
  type ProductOptions,
} from '../simulators/play-store/product.ts';
import { type Options, PLAN_NAMES, restartNumbers } from '../simulators/play-store/subscription.ts';
import {
  ACTIONS as STORE_ACTIONS,
  SimulatedSubscription,
} from '../simulators/store-server/subscription.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
export const FIRST = Date.UTC(2026, 0, 1);
const LONGEST = 500 * DAY;

const places = [
  { country: 'DE', currency: 'EUR' },
  { country: 'US', currency: 'USD' },
] as const;
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const startDay = fc.integer({ min: 0, max: 90 });
const part = fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000);
const share = part.map((n) => n * 0.9);
const step = <T>(...actions: readonly T[]) =>
  fc.record({ action: fc.constantFrom(...actions), wait: share });

/** Some actions come more often, so that lives last. */
const OFTEN = [
  ...['pass', 'pass', 'pass', 'pass', 'recover', 'recover', 'settlePending', 'settlePending'],
  ...['add', 'drop', 'topUp', 'restore', 'changeWithTime', 'upgradeProrated', 'passLate'],
] as const;

const subscription = fc.record({
  startDay,
  plan: fc.constantFrom(...PLAN_NAMES, 'monthly' as const),
  beginning: fc.constantFrom('paid', 'paid', 'trial', 'pending'),
  isTest: seldom,
  isPrepaid: seldom,
  commitment: fc.constantFrom(0, 0, 0, 3),
  place: fc.constantFrom(...places),
  steps: fc.array(step<Action>(...ACTIONS, ...OFTEN), { maxLength: 20, size: 'max' }),
});

const product = fc.record({
  startDay,
  productId: fc.constantFrom('coins', 'forever'),
  quantity: fc.constantFrom(1, 1, 3),
  milliunits: fc.integer({ min: 1, max: 900 }).map((n) => n * 100),
  isTest: seldom,
  isPromo: seldom,
  isPending: fc.boolean(),
  place: fc.constantFrom(...places),
  steps: fc.array(step(...PRODUCT_ACTIONS), { maxLength: 4 }),
});

const appStore = fc.record({
  startDay,
  trial: fc.boolean(),
  isTest: seldom,
  steps: fc.array(step(...STORE_ACTIONS), { maxLength: 10 }),
});

/** How the news of a scene fares. */
const fate = fc.record({
  delayMinutes: fc.integer({ min: 0, max: 300 }),
  copies: fc.integer({ min: 1, max: 3 }),
  isLost: fc.boolean(),
});

export const person = fc.record({
  subscriptions: fc.array(subscription, { maxLength: 2 }),
  products: fc.array(product, { maxLength: 1 }),
  appStore: fc.array(appStore, { maxLength: 1 }),
  fates: fc.array(fate, { minLength: 12, maxLength: 12 }),
  /** Of the time that the last state lasts. */
  untilShare: share,
  /** Of the whole time; before its beginning as often as not. */
  connectedShare: fc.oneof(fc.constant(0), part),
});
export type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

function liveSubscription({ startDay: day, place, steps, ...given }: Person['subscriptions'][0]) {
  const commitment = given.isPrepaid ? 0 : given.commitment;
  const options: Options = { ...given, ...place, commitment, start: FIRST + day * DAY };
  const one = new GoogleSubscription(options);
  for (const { action, wait } of steps) {
    if (one.now - options.start > LONGEST) break;
    one.wait(wait);
    one.act(action);
  }
  return one;
}

function liveProduct({ startDay: day, place, steps, ...given }: Person['products'][0]) {
  const options: ProductOptions = { ...given, ...place, start: FIRST + day * DAY };
  const one = new GoogleProduct(options);
  for (const { action, wait } of steps) one.act(action, Math.floor(wait * 40 * 24) * HOUR);
  return one;
}

function liveAppStore({ startDay: day, trial, isTest, steps }: Person['appStore'][0]) {
  const one = new SimulatedSubscription({
    bundleId: 'com.example.app',
    environment: isTest ? 'Sandbox' : 'Production',
    start: FIRST + day * DAY,
    trial,
  });
  for (const { action, wait } of steps) {
    if (one.now - one.options.start > LONGEST) break;
    one.wait(wait);
    one.act(action);
  }
  return one;
}

/** Goes on until its state lasts beyond the time; not for ever. */
function goOnTo(one: GoogleSubscription, until: number): void {
  for (let passes = 0; one.lastsUntil <= until; passes += 1) {
    if (one.state === 'PENDING') one.lapsePending();
    else if (one.state === 'ON_HOLD') one.giveUp();
    else if (one.isRunning || one.state === 'IN_GRACE_PERIOD' || one.state === 'PAUSED') {
      if (passes > 3) one.cancel();
      one.pass();
    } else break;
  }
  one.now = Math.max(one.now, until);
}

function goOnInAppStore(one: SimulatedSubscription, until: number): void {
  while (one.lastsUntil <= until) {
    one.cancel();
    if (!one.endGrace() && !one.expire()) break;
  }
  one.now = Math.max(one.now, until);
}

export type Lived = {
  subscriptions: GoogleSubscription[];
  products: GoogleProduct[];
  appStore: SimulatedSubscription[];
  /** Each is in its last state then. */
  nowMs: number;
  connectedAt: number;
};

const VOIDS_LISTED = 29 * DAY;

/** A person's purchases, as the stores themselves have them. */
export function live({ untilShare, connectedShare, ...given }: Person): Lived {
  restartNumbers();
  const subscriptions = given.subscriptions.map(liveSubscription);
  const products = given.products.map(liveProduct);
  const stores = given.appStore.map(liveAppStore);
  const all = [...subscriptions, ...products, ...stores];
  for (const one of [...subscriptions, ...stores]) one.wait(untilShare);
  let nowMs = Math.max(FIRST, ...all.map(({ now }) => now));
  // Later steps may come after the time.
  for (let before = 0; before !== nowMs; ) {
    before = nowMs;
    for (const one of subscriptions) goOnTo(one, nowMs);
    for (const one of stores) goOnInAppStore(one, nowMs);
    nowMs = Math.max(nowMs, ...all.map(({ now }) => now));
  }
  const voids = [...subscriptions, ...products].flatMap((one) => one.voids);
  // Google forgets to say later that it took a purchase back.
  const latest = Math.min(nowMs, ...voids.map(({ at }) => at + VOIDS_LISTED));
  const connectedAt = FIRST + Math.floor((connectedShare * (latest - FIRST)) / HOUR) * HOUR;
  return { subscriptions, products, appStore: stores, nowMs, connectedAt };
}
