import type { BatchContext, EventInput } from '../modules/events/model.ts';
import { type Random, seeded } from '../shared/random.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import { PRODUCTS, STORY, within } from './market.ts';

export type Plan = keyof typeof PRODUCTS;
export type Onboarding = 'long' | 'short';

/** Yearly plans begin with a free week. */
export type DemoPurchase = { plan: Plan; atMs: number; price: number };

export type DemoPerson = {
  anonymousId: string;
  userId: string | null;
  startMs: number;
  context: BatchContext;
  events: EventInput[];
  purchase: DemoPurchase | null;
};

export type ShowOnboarding = (anonymousId: string, startMs: number) => Onboarding;

type Platform = NonNullable<BatchContext['platform']>;

const DAYS = 30;
const PLATFORMS = [
  ['ios', 58],
  ['android', 32],
  ['web', 10],
] as const;
const COUNTRIES = [
  ['US', 38],
  ['DE', 14],
  ['GB', 12],
  ['FR', 9],
  ['BR', 9],
  ['JP', 7],
  ['IN', 11],
] as const;
const LOCALES: Readonly<Record<string, string>> = {
  US: 'en_US',
  DE: 'de_DE',
  GB: 'en_GB',
  FR: 'fr_FR',
  BR: 'pt_BR',
  JP: 'ja_JP',
  IN: 'en_IN',
};
const SCREENS = [
  ['home', 40],
  ['timer', 30],
  ['statistics', 12],
  ['settings', 8],
  ['sounds', 10],
] as const;
const STEPS: Readonly<Record<Onboarding, readonly string[]>> = {
  long: ['welcome', 'goal', 'reminders', 'notifications'],
  short: ['welcome', 'goal'],
};

/** The leak is at Android's paywall. */
const HABITS: Readonly<Record<string, { onboarding: number; paywall: number; purchase: number }>> =
  {
    ios: { onboarding: 0.94, paywall: 0.86, purchase: 0.16 },
    android: { onboarding: 0.91, paywall: 0.58, purchase: 0.09 },
    web: { onboarding: 0.84, paywall: 0.7, purchase: 0.05 },
  };

class Story {
  readonly events: EventInput[] = [];
  readonly anonymousId: string;
  purchase: DemoPurchase | null = null;
  userId: string | null = null;
  readonly #random: Random;
  readonly #nowMs: number;
  #sessionId = '';
  #atMs: number;

  constructor(random: Random, index: number, startMs: number, nowMs: number) {
    this.#random = random;
    this.anonymousId = `demo-${index.toString(36).padStart(4, '0')}-${random.between(1e8, 9e8)}`;
    this.#atMs = startMs;
    this.#nowMs = nowMs;
  }

  wait(typicalMs: number): this {
    this.#atMs += this.#random.longTailed(typicalMs);
    return this;
  }

  openApp(atMs: number): this {
    this.#atMs = atMs;
    this.#sessionId = `session-${this.#random.between(1e9, 9e9)}`;
    return this.track('app_opened');
  }

  signUp(): this {
    if (this.#atMs <= this.#nowMs) this.userId = `user-${this.anonymousId.slice(5)}`;
    return this.track('signup_completed', { method: this.#random.chance(0.7) ? 'apple' : 'email' });
  }

  buy(plan: Plan, price: number): this {
    if (this.#atMs <= this.#nowMs) {
      this.purchase = { plan, price, atMs: Math.floor(this.#atMs) };
    }
    return this.track('purchase_completed', { product: plan, plan, price, currency: 'USD' });
  }

  track(name: string, props?: NonNullable<EventInput['props']>): this {
    // The month ends now.
    if (this.#atMs > this.#nowMs) return this;
    this.events.push({
      id: `${this.anonymousId}-${this.events.length}`,
      name,
      ts: new Date(this.#atMs).toISOString(),
      anonymousId: this.anonymousId,
      ...(this.userId !== null && { userId: this.userId }),
      sessionId: this.#sessionId,
      ...(props && { props }),
    });
    return this;
  }
}

function browse(story: Story, random: Random): void {
  for (let left = random.between(1, 5); left > 0; left -= 1) {
    story.wait(25 * SECOND_MS).track('screen_viewed', { screen: random.pick(SCREENS) });
  }
}

function onboard(story: Story, random: Random, stays: number, shown: Onboarding): boolean {
  story.wait(3 * SECOND_MS).track('onboarding_started', { onboarding: shown });
  for (const [index, step] of STEPS[shown].entries()) {
    if (!random.chance(stays)) return false;
    story.wait(12 * SECOND_MS).track('onboarding_step', { step: index + 1, name: step });
  }
  story.wait(5 * SECOND_MS).track('onboarding_completed');
  return true;
}

/** Exactly as many as the chances add up to, on any day of the week. */
class Quota {
  #due = 0.5;

  take(chance: number): boolean {
    this.#due += chance;
    if (this.#due < 1) return false;
    this.#due -= 1;
    return true;
  }
}

class Sales {
  readonly started = new Quota();
  readonly completed = new Quota();
}

function buy(story: Story, random: Random, { completed }: Sales, yearlyPrice: number): void {
  const plan = random.pick([
    ['yearly', 62],
    ['monthly', 38],
  ] as const);
  story.wait(20 * SECOND_MS).track('purchase_started', { product: plan, plan });
  if (!completed.take(0.72)) return;
  if (plan === 'yearly') {
    story.wait(15 * SECOND_MS).track('trial_started', { product: plan, plan });
  }
  story.wait(20 * SECOND_MS).buy(plan, plan === 'yearly' ? yearlyPrice : PRODUCTS.monthly.price);
}

function showPaywall(
  story: Story,
  random: Random,
  sales: Sales,
  { purchase, daysAgo }: { purchase: number; daysAgo: number },
): void {
  const { priceTest } = STORY;
  const variant = within(priceTest, daysAgo) && random.chance(0.5) ? 'b' : 'a';
  const price = variant === 'b' ? priceTest.lowerPrice : PRODUCTS.yearly.price;
  const props = { variant, price, placement: 'onboarding' };
  story.wait(8 * SECOND_MS).track('paywall_viewed', props);
  if (sales.started.take(purchase * (variant === 'b' ? priceTest.sells : 1))) {
    buy(story, random, sales, price);
  }
}

function timeOfDay(random: Random): number {
  const hour = random.pick([
    [random.between(0, 6), 6],
    [random.between(7, 17), 54],
    [random.between(18, 23), 40],
  ] as const);
  return hour * HOUR_MS + random.between(0, HOUR_MS - 1);
}

function pickVersion(random: Random, daysAgo: number): string {
  const { badRelease, repairedVersion } = STORY;
  if (daysAgo > badRelease.fromDaysAgo || !random.chance(0.85)) return '2.3.1';
  return daysAgo >= badRelease.toDaysAgo ? badRelease.version : repairedVersion;
}

function makeContext(random: Random, platform: Platform, appVersion: string): BatchContext {
  const country = random.pick(COUNTRIES);
  return {
    platform,
    appVersion,
    osVersion:
      platform === 'web'
        ? 'Safari 19'
        : random.pick([
            ['26.1', 6],
            ['25.4', 4],
          ] as const),
    locale: LOCALES[country] ?? 'en_US',
    country,
  };
}

function firstDay(random: Random, nowMs: number): number {
  for (;;) {
    const day = Math.floor(DAYS * random.next() ** 0.9);
    const weekday = new Date(nowMs - (DAYS - day) * DAY_MS).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    if (!isWeekend || random.chance(STORY.weekends)) return day;
  }
}

type Month = {
  nowMs: number;
  showOnboarding: ShowOnboarding;
  sales: Map<string, Sales>;
};

function livePerson(random: Random, index: number, month: Month): DemoPerson {
  const { nowMs, showOnboarding } = month;
  const day = firstDay(random, nowMs);
  const daysAgo = DAYS - day;
  const startMs = Math.min(nowMs - daysAgo * DAY_MS + timeOfDay(random), nowMs - 2 * MINUTE_MS);
  const platform = random.pick(PLATFORMS);
  const habits = HABITS[platform] ?? { onboarding: 0.9, paywall: 0.7, purchase: 0.1 };
  const appVersion = pickVersion(random, daysAgo);
  const kept = appVersion === STORY.badRelease.version ? STORY.badRelease.keeps : 1;
  const story = new Story(random, index, startMs, nowMs).openApp(startMs);
  const shown = showOnboarding(story.anonymousId, startMs);
  const onboarded = onboard(story, random, habits.onboarding, shown);
  if (onboarded && random.chance(habits.paywall)) {
    const sales = month.sales.get(appVersion) ?? new Sales();
    month.sales.set(appVersion, sales);
    showPaywall(story, random, sales, { purchase: habits.purchase * kept, daysAgo });
  }
  if (onboarded && random.chance(0.35)) story.wait(MINUTE_MS).signUp();
  if (onboarded) browse(story, random);
  let returnRate = onboarded ? 0.62 : 0.12;
  for (let next = day + 1; next < DAYS; next += 1) {
    if (!random.chance(returnRate)) continue;
    story.openApp(nowMs - (DAYS - next) * DAY_MS + timeOfDay(random));
    browse(story, random);
    returnRate *= 0.86;
  }
  const { anonymousId, userId, events, purchase } = story;
  const context = makeContext(random, platform, appVersion);
  return { anonymousId, userId, startMs, context, events, purchase };
}

export function demoMonth(
  people: number,
  nowMs: number,
  seed = 1,
  showOnboarding: ShowOnboarding = () => 'long',
): DemoPerson[] {
  const random = seeded(seed);
  const month: Month = { nowMs, showOnboarding, sales: new Map() };
  return Array.from({ length: people }, (_, index) => livePerson(random, index, month));
}
