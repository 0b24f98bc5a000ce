import { describe, expect, test } from 'bun:test';
import { drawFunnel } from '../../../src/demo/draw.ts';
import { demoMonth } from '../../../src/demo/month.ts';
import { EventBatch } from '../../../src/modules/events/model.ts';
import { ONBOARDING_FUNNEL } from '../../../src/modules/funnels/model.ts';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import { findFalls } from '../../../src/modules/insights/versions.ts';
import { parser } from '../../../src/shared/schema.ts';
import { toBatches } from '../../support/demo-batches.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const people = demoMonth(2_000, NOW);
const events = people.flatMap((person) => person.events);

describe('the month of the demo', () => {
  test('is the same each time, and another one for another seed', () => {
    expect(demoMonth(50, NOW)).toEqual(demoMonth(50, NOW));
    expect(demoMonth(50, NOW, 2)).not.toEqual(demoMonth(50, NOW));
  });

  test('lies within the last thirty days, in order for each person', () => {
    for (const person of people) {
      const times = person.events.map((event) => Date.parse(event.ts ?? ''));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThanOrEqual(NOW - 31 * 86_400_000);
      expect(times.at(-1)).toBeLessThanOrEqual(NOW);
    }
  });

  test('has every standard event, believable in number', () => {
    const counts = Map.groupBy(events, (event) => event.name);
    const of = (name: string) => counts.get(name)?.length ?? 0;
    expect(of('onboarding_completed')).toBeGreaterThan(of('paywall_viewed'));
    expect(of('paywall_viewed')).toBeGreaterThan(of('purchase_started'));
    expect(of('purchase_started')).toBeGreaterThan(of('purchase_completed'));
    expect(of('purchase_completed')).toBeGreaterThan(20);
    expect(of('trial_started')).toBeGreaterThan(10);
    expect(of('signup_completed')).toBeGreaterThan(300);
    expect(events.length / people.length).toBeGreaterThan(10);
  });

  test('has a release that loses people at the paywall, which the next one repairs', () => {
    // Of a few thousand people chance would decide which release sells more.
    const all = demoMonth(20_000, NOW).map(({ context, events: sent }) => ({
      version: context.appVersion,
      names: new Set(sent.map(({ name }) => name)),
    }));
    const bought = (version: string) => {
      const shown = all.filter((one) => one.version === version && one.names.has('paywall_viewed'));
      return shown.filter(({ names }) => names.has('purchase_completed')).length / shown.length;
    };
    expect(bought('2.4.0')).toBeLessThan(0.8 * bought('2.3.1'));
    expect(bought('2.4.0')).toBeLessThan(0.8 * bought('2.4.1'));
  });

  test.each([0, 1, 2, 3, 4, 5, 6])('says so in insights, made on day %i of a week', (day) => {
    const nowMs = NOW + day * 86_400_000;
    const month = demoMonth(3_000, nowMs);
    const figures = ['2.3.1', '2.4.0', '2.4.1'].map((appVersion) => {
      const names = month
        .filter(({ context, startMs }) => {
          return context.appVersion === appVersion && startMs < nowMs - 86_400_000;
        })
        .map(({ events: sent }) => new Set(sent.map(({ name }) => name)));
      const reached = ONBOARDING_FUNNEL.steps.map(
        (_, step) =>
          names.filter((had) =>
            ONBOARDING_FUNNEL.steps.slice(0, step + 1).every(({ event }) => had.has(event)),
          ).length,
      );
      const medians = reached.map(() => 1);
      const tally = { medianSecondsFromPrevious: medians, medianSecondsFromStart: medians };
      return {
        appVersion,
        ...groupFigures(ONBOARDING_FUNNEL.steps, { people: reached, ...tally }),
      };
    });
    expect(findFalls(figures)).toMatchObject([
      { place: 3, worse: { appVersion: '2.4.0' }, hasRecovered: true },
    ]);
  });

  test('is sent in batches that the service takes', () => {
    const batches = toBatches(people);
    const batch = parser(EventBatch, 'batch');
    for (const one of batches) {
      expect(batch.check(one)).toBe(true);
      expect(JSON.stringify(one).length).toBeLessThan(64 * 1024);
    }
    expect(batches.flatMap((one) => one.events)).toHaveLength(events.length);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });
});

describe('a drawn funnel', () => {
  const draw = (counts: number[]) =>
    drawFunnel({
      funnelId: 'fun_1',
      appId: 'app_1',
      name: 'Onboarding',
      window: { from: '2026-10-22T00:00:00Z', to: '2026-11-21T00:00:00Z', days: 30 },
      conversionWindowHours: 336,
      timezone: 'UTC',
      filters: { platform: null, appVersion: null, country: null },
      maturePeople: 0,
      minimumPeople: 50,
      computedAt: '2026-11-21T00:00:00Z',
      dataThrough: '2026-11-21T00:00:00Z',
      breakdown: null,
      ...groupFigures(ONBOARDING_FUNNEL.steps, {
        people: counts,
        medianSecondsFromPrevious: [null, 40, 100, 7_200],
        medianSecondsFromStart: [null, 40, 140, 7_400],
      }),
    });

  test('shows people, rates with their range, times and the biggest leak', () => {
    const text = draw([1_000, 700, 600, 60]);
    expect(text).toContain('Onboarding: 1000 people in 30 days');
    expect(text).toContain('70.0 % of the step before (67.1–72.8 %), after 40 s');
    expect(text).toMatch(/Purchase completed +60 .+ 6.0 % .+2\.0 h, biggest leak/);
    expect(text).toContain('In all 6.0 % got to the end, half of them within 2.1 h.');
  });

  test('says so when there are too few people', () => {
    expect(draw([49, 1, 0, 0])).toBe('Onboarding: 49 people in 30 days (too few to draw a result)');
  });
});
