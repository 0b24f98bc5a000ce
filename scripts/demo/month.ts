import type { BatchContext, EventInput } from '../../src/modules/events/model.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/shared/time.ts';
import { type Random, seeded } from './random.ts';

export type DemoPerson = { context: BatchContext; events: EventInput[] };

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
const STEPS = ['welcome', 'goal', 'reminders', 'notifications'];

/** How well each platform holds people; the leak on Android's paywall is what the funnel finds. */
const HABITS: Readonly<Record<string, { onboarding: number; paywall: number; purchase: number }>> =
  {
    ios: { onboarding: 0.94, paywall: 0.86, purchase: 0.16 },
    android: { onboarding: 0.91, paywall: 0.58, purchase: 0.09 },
    web: { onboarding: 0.84, paywall: 0.7, purchase: 0.05 },
  };

/** One person's month, told event by event on a clock of their own. */
class Story {
  readonly events: EventInput[] = [];
  readonly #random: Random;
  readonly #anonymousId: string;
  readonly #nowMs: number;
  #userId: string | undefined;
  #sessionId = '';
  #atMs: number;

  constructor(random: Random, index: number, startMs: number, nowMs: number) {
    this.#random = random;
    this.#anonymousId = `demo-${index.toString(36).padStart(4, '0')}-${random.between(1e8, 9e8)}`;
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
    this.#userId = `user-${this.#anonymousId.slice(5)}`;
    return this.track('signup_completed', { method: this.#random.chance(0.7) ? 'apple' : 'email' });
  }

  track(name: string, props?: NonNullable<EventInput['props']>): this {
    // The month ends now: what would come later has not happened yet.
    if (this.#atMs > this.#nowMs) return this;
    this.events.push({
      id: `${this.#anonymousId}-${this.events.length}`,
      name,
      ts: new Date(this.#atMs).toISOString(),
      anonymousId: this.#anonymousId,
      ...(this.#userId !== undefined && { userId: this.#userId }),
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

function onboard(story: Story, random: Random, stays: number): boolean {
  story.wait(3 * SECOND_MS).track('onboarding_started');
  for (const [index, step] of STEPS.entries()) {
    if (!random.chance(stays)) return false;
    story.wait(12 * SECOND_MS).track('onboarding_step', { step: index + 1, name: step });
  }
  story.wait(5 * SECOND_MS).track('onboarding_completed');
  return true;
}

function buy(story: Story, random: Random): void {
  const product = random.pick([
    ['yearly', 62],
    ['monthly', 38],
  ] as const);
  story.wait(20 * SECOND_MS).track('purchase_started', { product });
  if (!random.chance(0.72)) return;
  if (product === 'yearly') story.wait(15 * SECOND_MS).track('trial_started', { product });
  const price = product === 'yearly' ? 39.99 : 5.99;
  story.wait(20 * SECOND_MS).track('purchase_completed', { product, price, currency: 'USD' });
}

function showPaywall(story: Story, random: Random, purchase: number): void {
  const variant = random.chance(0.5) ? 'a' : 'b';
  story.wait(8 * SECOND_MS).track('paywall_viewed', { variant, placement: 'onboarding' });
  // Variant b converts better: a breakdown by prop:variant shows it.
  if (random.chance(purchase * (variant === 'b' ? 1.5 : 1))) buy(story, random);
}

/** People live by day: hardly anybody opens an app at four in the morning. */
function timeOfDay(random: Random): number {
  const hour = random.pick([
    [random.between(0, 6), 6],
    [random.between(7, 17), 54],
    [random.between(18, 23), 40],
  ] as const);
  return hour * HOUR_MS + random.between(0, HOUR_MS - 1);
}

function contextOf(random: Random, platform: Platform, day: number): BatchContext {
  const country = random.pick(COUNTRIES);
  const isNewer = day > 14 && random.chance(0.85);
  return {
    platform,
    appVersion: isNewer ? '2.4.0' : '2.3.1',
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

function livePerson(random: Random, index: number, nowMs: number): DemoPerson {
  const day = Math.floor(DAYS * random.next() ** 0.9);
  const dayStartMs = nowMs - (DAYS - day) * DAY_MS;
  const startMs = Math.min(dayStartMs + timeOfDay(random), nowMs - 2 * MINUTE_MS);
  const platform = random.pick(PLATFORMS);
  const habits = HABITS[platform] ?? { onboarding: 0.9, paywall: 0.7, purchase: 0.1 };
  const story = new Story(random, index, startMs, nowMs).openApp(startMs);
  const onboarded = onboard(story, random, habits.onboarding);
  if (onboarded && random.chance(habits.paywall)) showPaywall(story, random, habits.purchase);
  if (onboarded && random.chance(0.35)) story.wait(MINUTE_MS).signUp();
  if (onboarded) browse(story, random);
  let returns = onboarded ? 0.62 : 0.12;
  for (let next = day + 1; next < DAYS; next += 1) {
    if (!random.chance(returns)) continue;
    story.openApp(nowMs - (DAYS - next) * DAY_MS + timeOfDay(random));
    browse(story, random);
    returns *= 0.86;
  }
  return { context: contextOf(random, platform, day), events: story.events };
}

/** A believable month of a focus timer app that ends now; nothing of it lies in the future. */
export function demoMonth(people: number, nowMs: number, seed = 1): DemoPerson[] {
  const random = seeded(seed);
  return Array.from({ length: people }, (_, index) => livePerson(random, index, nowMs));
}
