import { expect, test } from 'bun:test';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import type { Facts, MatureFunnel, Versions } from '../../../src/modules/insights/facts.ts';
import { judgedFunnel } from '../../../src/modules/insights/funnel-facts.ts';
import type { RecommendationCode } from '../../../src/modules/insights/model.ts';
import { recommend } from '../../../src/modules/insights/rules.ts';
import { compareVersions } from '../../../src/shared/app-version.ts';
import { type Draw, drawsFrom } from '../../support/draws.ts';
import { groundOf, numbersOf } from '../../support/insight-claims.ts';
import {
  busyness,
  COUNTRIES,
  type QuietDay as Day,
  isAlarm,
  poisson,
  quietDay,
  type VersionDay,
  versionDays,
} from '../../support/quiet-apps.ts';
import { isFullRun } from '../../support/random.ts';

/**
 * Apps in which nothing happens: people come as they always do, more of them at weekends, and
 * convert at overall rates that differ by a tenth from day to day. Of some the events began a while
 * ago, of some during the looks; whoever is told something was told wrong.
 */
const APPS = isFullRun ? 2_000 : 100;
const LOOKS = 30;
const WINDOW = 30;
/** Of the window those who had 14 days to convert. */
const MATURE = 16;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-11-21T12:00:00Z');

const NO_WINDOW = { from: '', to: '', previousFrom: '', previousTo: '' };

const STEPS = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'].map(
  (event) => ({ event, label: event }),
);
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
  return figuresOf(people);
}

function figuresOf(people: number[]): MatureFunnel {
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
    return poisson(draw, (perDay / 24) * busyness(hour)) > 0;
  });
}

/** What is known of the events of an app at an hour. */
function eventsAt(active: readonly boolean[], hour: number, people = 100): Facts['events'] {
  const last = active.lastIndexOf(true, hour);
  const first = active.indexOf(true);
  const week = active.slice(Math.max(0, last - 167), last + 1).filter(Boolean).length;
  const at = (index: number) => new Date(NOW.getTime() - (hour - index) * HOUR_MS).toISOString();
  const hasEvents = first !== -1 && first <= hour;
  return {
    lastDay: active.slice(Math.max(0, hour - 23), hour + 1).filter(Boolean).length * 12,
    weekBefore: hasEvents ? week * 12 : 0,
    activeHours: hasEvents ? week : 0,
    firstEventAt: hasEvents ? at(Math.max(first, hour - WINDOW * 24)) : null,
    lastEventAt: hasEvents ? at(last) : null,
    people: hasEvents ? people : 0,
    names: new Map([['trial_started', 3]]),
  };
}

/** New people by version, whose day to convert is over. */
function versionsOf(days: readonly VersionDay[]): Versions {
  const people = new Map<string, number[]>();
  for (const [appVersion, reached] of days.flatMap((day) => [...day])) {
    const known = people.get(appVersion) ?? STEPS.map(() => 0);
    people.set(
      appVersion,
      known.map((count, step) => count + reached[step]!),
    );
  }
  const figures = [...people]
    .toSorted(([one], [other]) => compareVersions(one, other))
    .map(([appVersion, reached]) => ({ appVersion, ...figuresOf(reached) }));
  const platforms = new Map(
    [...people].map(([name, reached]) => [name, new Map([['ios', reached]])]),
  );
  return { figures, platforms, firstSeenOn: new Map(), yesterday: null };
}

type App = {
  days: readonly Day[];
  versions: readonly VersionDay[];
  /** By hour since the beginning of `days`. */
  active: readonly boolean[];
  /** Days before it have no events; the store may have sold on them. */
  firstDay: number;
};

/** Insights at noon of a day. */
function factsAt({ days, versions, active, firstDay }: App, today: number): Facts {
  const sent = (from: number, to: number) =>
    days.slice(Math.max(from, firstDay), Math.max(to, firstDay));
  const now = sent(today - WINDOW, today - WINDOW + MATURE);
  const before = sent(today - WINDOW - MATURE, today - WINDOW);
  const shown = sent(today - WINDOW, today);
  const sold = days.slice(today - WINDOW, today);
  const soldBefore = days.slice(Math.max(0, today - 2 * WINDOW), today - WINDOW);
  const opened = (of: readonly Day[]) =>
    total(of, (day) => day.people.reduce((sum, [first = 0]) => sum + first, 0));
  const units = total(sold, (day) => day.units);
  const upToNow = opened(sent(today - WINDOW, today + 1));
  return {
    now: NOW,
    events: eventsAt(active, today * 24 + 12, Math.max(1, upToNow)),
    shown: {
      people: opened(shown),
      endsAt: new Date(NOW.getTime() - DAY_MS / 2),
      withFirstStep: upToNow,
    },
    funnel: funnelOf(now),
    versions: versionsOf(
      versions.slice(Math.max(today - WINDOW, firstDay), Math.max(today - 1, firstDay)),
    ),
    previousFunnel: funnelOf(before),
    funnelByCountry: COUNTRIES.map((country, index) => ({ country, ...funnelOf(now, index) })),
    paywallFirst: {
      viewers: total(now, (day) => day.paywall),
      finishedAfter: total(now, (day) => day.wall),
    },
    store: {
      downloads: opened(sold),
      trials: 5,
      subscriptionUnits: units,
      newSubscriptionUnits: units,
      iapUnits: 0,
      paidUnits: units,
      refunds: total(sold, ({ refunds }) => refunds),
      previousPaidUnits: total(soldBefore, (day) => day.units),
      previousRefunds: total(soldBefore, ({ refunds }) => refunds),
      proceedsMinor: 0,
      currency: 'USD',
      unconverted: [],
      missingDays: [],
      purchasesByCountry: COUNTRIES.map((country, index) => ({
        country,
        units: total(sold, (day) => day.people[index]![3]!),
      })),
      downloadToTrial: null,
      downloadToPaid: null,
    },
  };
}

/** Of its own, so that the days stay what they are. */
const releases = drawsFrom(240);

/** An app whose events are so many days old at the first look, or begin after it. */
function quietApp(draw: Draw, newPeople: number, age: number, looks = LOOKS): App {
  const length = 2 * WINDOW + looks + 1;
  const firstDay = Math.max(0, 2 * WINDOW - age);
  const days = Array.from({ length }, (_, index) => quietDay(draw, index, newPeople));
  const active = sessions(draw, length * 24, newPeople * 1.5).map(
    (isActive, hour) => isActive && hour >= firstDay * 24,
  );
  const versions = versionDays(releases, days);
  return { days, versions, active, firstDay };
}

/** The share of apps that were told something in a month of daily looks, by code. */
function toldWrong(newPeople: number, draw: Draw): Map<RecommendationCode, number> {
  const apps = new Map<RecommendationCode, number>();
  for (let app = 0; app < APPS; app += 1) {
    // Half of them are old; the events of the others began in the two windows, or during the looks.
    const age = app % 2 === 0 ? 1_000 : Math.floor(draw.uniform() * 90) - LOOKS;
    const quiet = quietApp(draw, newPeople, age);
    const told = new Set<RecommendationCode>();
    for (let look = 0; look < LOOKS; look += 1) {
      // Before its first event an app with downloads is told that none arrive, and rightly so.
      if (2 * WINDOW + look < quiet.firstDay) continue;
      const facts = factsAt(quiet, 2 * WINDOW + look);
      if (facts.events.people === 0) continue;
      for (const { code } of recommend(facts).filter(isAlarm)) told.add(code);
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
  1_200_000,
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
      shown: null,
      versions: null,
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
  1_200_000,
);

const ALL_AGES = isFullRun ? 300 : 30;
const DAYS = 60;

test('quiet apps of all sizes and ages are asked to act on nothing that their own figures contradict', () => {
  const draw = drawsFrom(300);
  let told = 0;
  for (let app = 0; app < ALL_AGES; app += 1) {
    const newPeople = Math.round(2 * 250 ** draw.uniform());
    const age = Math.floor(draw.uniform() * 460) - DAYS;
    const quiet = quietApp(draw, newPeople, age, DAYS);
    for (let look = 0; look < DAYS; look += 1) {
      const facts = factsAt(quiet, 2 * WINDOW + look);
      const judged = judgedFunnel({ ...facts, forecast: null, judgedWindow: NO_WINDOW });
      const shown = {
        events: facts.events,
        store: facts.store,
        funnel: facts.shown,
        judged,
        versions: null,
      };
      for (const one of recommend(facts).filter(({ severity }) => severity === 'act')) {
        expect(numbersOf(one)).toEqual(groundOf(one, shown, NOW));
        // Before the first event nothing is contradicted: none arrive.
        if (facts.events.people > 0) told += 1;
      }
    }
  }
  if (isFullRun) console.log(ALL_AGES, 'apps of all ages were asked to act', told, 'times');
}, 1_200_000);
