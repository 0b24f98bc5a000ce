import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import type { Facts, MatureFunnel } from '../../../src/modules/insights/facts.ts';
import { judgedFunnel } from '../../../src/modules/insights/funnel-facts.ts';
import { RECOMMENDATION_CODES } from '../../../src/modules/insights/model.ts';
import { recommend } from '../../../src/modules/insights/rules.ts';
import { shownVersions, type VersionFacts } from '../../../src/modules/insights/version-facts.ts';
import { groundOf, numbersOf } from '../../support/insight-claims.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const STEPS = ['app_opened', 'onboarding_completed', 'purchase_completed'].map((event) => ({
  event,
  label: event,
}));
const WINDOW = { from: '', to: '', previousFrom: '', previousTo: '' };

const share = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0.96, 0.9, 0.85),
);
const often = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }));

const funnel = fc.tuple(often(4_000), share, share).map(([entered, one, other]): MatureFunnel => {
  const people = [entered, Math.round(entered * one)];
  people.push(Math.round(people[1]! * other));
  const medians = [null, 1, 1];
  return groupFigures(STEPS, {
    people,
    medianSecondsFromPrevious: medians,
    medianSecondsFromStart: medians,
  });
});

const events = fc
  .record({
    people: often(200),
    lastDay: often(50),
    weekBefore: often(2_000),
    activeHours: fc.integer({ min: 0, max: 168 }),
    young: fc.boolean(),
    silentHours: fc.integer({ min: 0, max: 400 }),
    hasTrials: fc.boolean(),
  })
  .map(({ people, young, silentHours, hasTrials, ...rest }): Facts['events'] => ({
    ...rest,
    people,
    firstEventAt: people === 0 ? null : hoursAgo(young ? 20 : 600).toISOString(),
    lastEventAt: people === 0 ? null : hoursAgo(silentHours).toISOString(),
    names: new Map(hasTrials ? [['trial_started', 1]] : []),
  }));

const day = fc
  .integer({ min: 1, max: 30 })
  .map((date) => `2026-11-${String(date).padStart(2, '0')}`);

const store = fc
  .record({
    downloads: often(3_000),
    trials: often(5),
    newSubscriptionUnits: fc.oneof(fc.constant(null), often(60)),
    renewed: often(600),
    iapUnits: often(400),
    paidDownloads: often(400),
    refunds: often(80),
    previousPaidUnits: often(1_000),
    previousRefunds: often(20),
    missingDays: fc.uniqueArray(day, { maxLength: 6 }),
    bought: fc.tuple(often(90), often(90), often(90)),
  })
  .map(({ renewed, paidDownloads, bought, ...rest }): NonNullable<Facts['store']> => {
    const subscriptionUnits = (rest.newSubscriptionUnits ?? 0) + renewed;
    return {
      ...rest,
      subscriptionUnits,
      paidUnits: subscriptionUnits + rest.iapUnits + paidDownloads,
      proceedsMinor: 0,
      currency: 'USD',
      unconverted: [],
      purchasesByCountry: ['US', 'DE', 'BR'].map((country, index) => ({
        country,
        units: bought[index]!,
      })),
      downloadToTrial: null,
      downloadToPaid: null,
    };
  });

/** People of four versions at each step, and of each on how many platforms. */
const versions = fc
  .array(fc.tuple(funnel, fc.boolean()), { minLength: 1, maxLength: 4 })
  .chain((groups) => fc.tuple(fc.constant(groups), often(400), often(2_000)))
  .map(([groups, used, others]): VersionFacts => {
    const figures = groups.map(([group], index) => ({ appVersion: `2.${index + 9}.1`, ...group }));
    const split = (steps: MatureFunnel['steps'], isMixed: boolean) => {
      const all = steps.map(({ people }) => people ?? 0);
      const half = all.map((people) => Math.floor(people / 2));
      if (!isMixed) return new Map([['ios', all]]);
      return new Map([
        ['ios', half],
        ['android', all.map((people, step) => people - half[step]!)],
      ]);
    };
    return {
      hours: 24,
      window: { from: '', to: '' },
      figures,
      platforms: new Map(
        figures.map(({ appVersion, steps }, index) => [
          appVersion,
          split(steps, groups[index]![1]),
        ]),
      ),
      firstSeenOn: new Map([['2.10.1', '2026-11-07']]),
      yesterday: {
        people: used + others,
        byVersion: new Map(figures.map(({ appVersion }) => [appVersion, used])),
      },
    };
  });

const reviews = fc
  .record({
    reviews: fc.integer({ min: 20, max: 400 }),
    mean: fc.double({ min: 1, max: 5, noNaN: true }),
    before: fc.double({ min: 1, max: 5, noNaN: true }),
  })
  .map(({ before, ...rest }) => ({
    ...rest,
    appVersion: '2.10.1',
    before: {
      ...{ appVersion: '2.9', reviews: 214, mean: before },
      ...{ pValue: 0.0001, isBeyondChance: true },
    },
  }));

const facts = fc
  .record({
    events,
    store: fc.option(store),
    hasFunnel: fc.boolean(),
    funnel,
    previousFunnel: funnel,
    countries: fc.tuple(funnel, funnel, funnel),
    versions: fc.option(versions),
    reviews: fc.option(reviews),
    // An app of a few days has people and nobody whose time is over.
    isYoung: fc.boolean(),
    shownPeople: often(500),
    viewers: often(500),
    after: share,
    notices: fc.record({ consents: fc.nat(3), tokens: fc.nat(3) }),
  })
  .map((drawn): Facts & { judgedWindow: typeof WINDOW; versions: VersionFacts | null } => {
    const { isYoung, viewers, after, countries, shownPeople, hasFunnel } = drawn;
    const hasJudged = hasFunnel && !isYoung;
    return {
      now: NOW,
      events: drawn.events,
      store: drawn.store,
      shown: hasFunnel
        ? { people: shownPeople, endsAt: hoursAgo(12), withFirstStep: Math.min(shownPeople, 1) }
        : null,
      forecast: '',
      funnel: hasJudged ? drawn.funnel : null,
      previousFunnel: hasJudged ? drawn.previousFunnel : null,
      funnelByCountry: hasJudged
        ? ['US', 'DE', 'BR'].map((country, index) => ({ country, ...countries[index]! }))
        : [],
      paywallFirst: hasJudged ? { viewers, finishedAfter: Math.round(viewers * after) } : null,
      judgedWindow: WINDOW,
      versions: hasFunnel ? drawn.versions : null,
      reviews: drawn.reviews,
      notices: drawn.notices,
    };
  });

test('sentences say the numbers of their own answer, and nothing against it', () => {
  const said = new Set<string>();
  fc.assert(
    fc.property(facts, (drawn) => {
      const shown = {
        events: drawn.events,
        store: drawn.store,
        funnel: drawn.shown,
        judged: judgedFunnel(drawn),
        versions: drawn.versions && shownVersions(drawn.versions),
        reviews: drawn.reviews ?? null,
      };
      for (const one of recommend(drawn)) {
        said.add(one.code);
        expect([one.code, ...numbersOf(one)]).toEqual([one.code, ...groundOf(one, shown, NOW)]);
      }
    }),
    { numRuns: 3_000, seed: 28 },
  );
  expect([...said].toSorted()).toEqual([...RECOMMENDATION_CODES].toSorted());
});
