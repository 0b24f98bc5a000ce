import { expect, test } from 'bun:test';
import { groupFigures } from '../../../src/modules/funnels/rules/figures.ts';
import type { Facts, MatureFunnel } from '../../../src/modules/insights/facts.ts';
import type { RecommendationCode } from '../../../src/modules/insights/model.ts';
import { recommend } from '../../../src/modules/insights/rules.ts';
import { type Draw, drawsFrom } from '../../support/draws.ts';
import { isFullRun } from '../../support/random.ts';

/**
 * Apps in which nothing happens: people come as they always do, more of them at weekends, and
 * convert at overall rates that differ by a tenth from day to day. Whoever is told something was told wrong.
 */
const APPS = isFullRun ? 2_000 : 120;
const LOOKS = 30;
const MATURE_DAYS = 16;
const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-21T12:00:00Z');

const STEPS = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'].map(
  (event) => ({ event, label: event }),
);
const RATES = [0.6, 0.7, 0.05];
/** Of those that are information; the others state what is so. */
const MAY_BE_WRONG = new Set<RecommendationCode>(['country_buys_but_does_not_convert']);
const COUNTRIES = ['US', 'DE', 'BR'];

type Day = { people: number[][]; paywall: number; wall: number; units: number; refunds: number };

const poisson = (draw: Draw, mean: number) => draw.successes(Math.ceil(mean * 50), 1 / 50);

function quietDay(draw: Draw, index: number, newPeople: number): Day {
  const weekend = index % 7 < 2 ? 1.3 : 1;
  const noise = () => 1 + 0.058 * draw.normal();
  const rates = RATES.map((rate) => Math.min(1, Math.max(0, rate * noise())));
  const people = COUNTRIES.map((_, country) => {
    let reached = poisson(draw, (newPeople * weekend) / (country + 2));
    return [reached, ...rates.map((rate) => (reached = draw.successes(reached, rate)))];
  });
  const paywall = people.reduce((sum, [, , viewers = 0]) => sum + viewers, 0);
  const units = poisson(draw, newPeople * 0.04 * weekend);
  return {
    people,
    paywall,
    wall: draw.successes(paywall, 0.3),
    units,
    refunds: draw.successes(units, 0.04),
  };
}

const total = (days: readonly Day[], value: (day: Day) => number) =>
  days.reduce((sum, day) => sum + value(day), 0);

function funnelOf(days: readonly Day[], country?: number): MatureFunnel {
  const people = STEPS.map((_, step) =>
    total(days, (day) =>
      day.people.reduce(
        (sum, each, index) => sum + (country === undefined || country === index ? each[step]! : 0),
        0,
      ),
    ),
  );
  const medians = STEPS.map(() => 1);
  return groupFigures(STEPS, {
    people,
    medianSecondsFromPrevious: medians,
    medianSecondsFromStart: medians,
  });
}

/** Sessions of a whole app, as they fall into hours of the day. */
function sessions(draw: Draw, hours: number, perDay: number): boolean[] {
  return Array.from({ length: hours }, (_, hour) => {
    const byDay = Math.max(0.1, Math.sin(((hour % 24) / 24) * Math.PI) * 1.5);
    return poisson(draw, (perDay / 24) * byDay) > 0;
  });
}

/** What is known of the events of an app at an hour. */
function eventsAt(active: readonly boolean[], hour: number): Facts['events'] {
  const last = active.lastIndexOf(true, hour);
  const week = active.slice(Math.max(0, last - 167), last + 1).filter(Boolean).length;
  return {
    lastDay: active.slice(hour - 23, hour + 1).filter(Boolean).length * 12,
    weekBefore: week * 12,
    activeHours: week,
    lastEventAt: new Date(NOW.getTime() - (hour - last) * HOUR_MS),
    people: new Map([['trial_started', 3]]),
  };
}

function factsAt(days: readonly Day[], active: readonly boolean[], look: number): Facts {
  const now = days.slice(look + MATURE_DAYS, look + 2 * MATURE_DAYS);
  const before = days.slice(look, look + MATURE_DAYS);
  const hour = active.length - (LOOKS - look) * 24;
  const bought = COUNTRIES.map((code, index) => [
    code,
    total(now, (day) => day.people[index]![3]!),
  ]);
  return {
    now: NOW,
    events: eventsAt(active, hour),
    funnel: funnelOf(now),
    previousFunnel: funnelOf(before),
    funnelByCountry: COUNTRIES.map((country, index) => ({ country, ...funnelOf(now, index) })),
    paywallFirst: {
      viewers: total(now, (day) => day.paywall),
      finishedAfter: total(now, (day) => day.wall),
    },
    store: {
      downloads: total(now, (day) => day.people.flat()[0]!),
      units: total(now, ({ units }) => units),
      refunds: total(now, ({ refunds }) => refunds),
      trials: 5,
      subscriptionUnits: total(now, ({ units }) => units),
      previousUnits: total(before, ({ units }) => units),
      previousRefunds: total(before, ({ refunds }) => refunds),
      gaps: 0,
      purchasesByCountry: new Map(bought as [string, number][]),
    },
  };
}

/** The share of apps that were told something in a month of daily looks, by code. */
function toldWrong(newPeople: number, draw: Draw): Map<RecommendationCode, number> {
  const apps = new Map<RecommendationCode, number>();
  for (let app = 0; app < APPS; app += 1) {
    const days = Array.from({ length: LOOKS + 2 * MATURE_DAYS }, (_, index) =>
      quietDay(draw, index, newPeople),
    );
    const active = sessions(draw, (LOOKS + 9) * 24, newPeople * 1.5);
    const told = new Set<RecommendationCode>();
    for (let look = 0; look < LOOKS; look += 1) {
      for (const { code, severity } of recommend(factsAt(days, active, look))) {
        if (severity !== 'info' || MAY_BE_WRONG.has(code)) told.add(code);
      }
    }
    for (const code of told) apps.set(code, (apps.get(code) ?? 0) + 1 / APPS);
  }
  return apps;
}

/** Of apps in a month of daily looks; and what chance adds to that with so few of them. */
const MOST = 0.05 + (isFullRun ? 0 : 4 * Math.sqrt(0.0475 / APPS));

/** The largest take a minute. */
const SIZES = isFullRun ? [[2], [8], [100], [1_000]] : [[2], [8], [100]];

test.each(SIZES)(
  'apps with %i new people a day in which nothing happens are left in peace',
  (newPeople) => {
    const told = toldWrong(newPeople, drawsFrom(newPeople));
    if (isFullRun) console.log(newPeople, Object.fromEntries(told));
    for (const [code, share] of told)
      expect({ code, isRare: share <= MOST }).toEqual({ code, isRare: true });
  },
  400_000,
);

/** Alerts are looked for every hour; of what asks to act only silence changes within a day. */
test.each([[2], [8], [100]])(
  'apps with %i new people a day in which nothing happens raise no alarm of silence in a month of hourly looks',
  (newPeople) => {
    const draw = drawsFrom(newPeople + 1);
    const nothing = {
      funnel: null,
      previousFunnel: null,
      funnelByCountry: [],
      paywallFirst: null,
      store: null,
    };
    const isToldWrong = () => {
      const active = sessions(draw, (LOOKS + 9) * 24, newPeople * 1.5);
      return Array.from({ length: LOOKS * 24 }, (_, look) => active.length - 1 - look).some(
        (hour) => recommend({ now: NOW, events: eventsAt(active, hour), ...nothing }).length > 0,
      );
    };
    const told = Array.from({ length: APPS }, isToldWrong).filter(Boolean).length / APPS;
    if (isFullRun) console.log(newPeople, 'by the hour', told);
    expect(told).toBeLessThanOrEqual(MOST);
  },
  400_000,
);
