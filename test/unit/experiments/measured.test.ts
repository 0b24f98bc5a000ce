import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const MINUTE_US = 60_000_000;
const START_US = Date.UTC(2026, 2, 1) * 1_000;
const SLOW_MINUTES = 10;
const CONVERSION_WINDOW = 60;

/** Minutes since the start of the experiment. */
type Event = {
  who: string;
  name: string;
  arm?: string;
  overridden?: boolean;
  occurred: number;
  received: number;
  arrival: number;
};
type Payment = { who: string; at: number; amount: number; isTrial: boolean };
type Case = {
  events: Event[];
  payments: Payment[];
  horizon: number;
  now: number;
  percentile?: number;
};

const isAfter = (a: Event, b: Event) =>
  a.received > b.received || (a.received === b.received && a.arrival > b.arrival);

/** By plain loops over everybody's events: funnel open → buy, the metric `like`, and payments. */
function reference({ events, payments, horizon, now }: Case) {
  const arms = new Map<
    string,
    { people: number; bought: number; liked: number; trials: number; paid: number[] }
  >();
  let overridden = 0;
  for (const own of Map.groupBy(events, ({ who }) => who).values()) {
    const exposures = own.filter(({ arm }) => arm !== undefined);
    if (exposures.some((each) => each.overridden)) {
      overridden += 1;
      continue;
    }
    const seen = [...new Set(exposures.map(({ arm }) => arm!))];
    let first = exposures[0];
    for (const each of exposures) if (first && isAfter(first, each)) first = each;
    if (!first || seen.length !== 1 || first.received >= now - horizon) continue;
    const exposure = first;
    const doneAfter = (event: Event) =>
      event.occurred >= exposure.received - SLOW_MINUTES &&
      isAfter(event, exposure) &&
      event.received <= exposure.received + horizon;
    let bought = 0;
    for (const open of own) {
      if (open.name !== 'open' || open.occurred < exposure.received - CONVERSION_WINDOW) continue;
      for (const buy of own) {
        const inTime =
          buy.occurred >= open.occurred && buy.occurred <= open.occurred + CONVERSION_WINDOW;
        if (buy.name === 'buy' && inTime && doneAfter(buy)) bought = 1;
      }
    }
    const due = payments.filter(
      ({ who, at }) =>
        who === exposure.who && at > exposure.received && at <= exposure.received + horizon,
    );
    const arm = arms.get(seen[0]!) ?? { people: 0, bought: 0, liked: 0, trials: 0, paid: [] };
    arms.set(seen[0]!, arm);
    arm.people += 1;
    arm.bought += bought;
    arm.liked += own.some((event) => event.name === 'like' && doneAfter(event)) ? 1 : 0;
    arm.trials += due.some(({ isTrial }) => isTrial) ? 1 : 0;
    arm.paid.push(due.reduce((sum, { amount }) => sum + amount, 0));
  }
  return { arms, overridden };
}

/** The smallest amount that this many percent of those who paid do not exceed. */
function capOf(paid: readonly number[], percentile: number): number | null {
  const payers = paid.filter((amount) => amount > 0).toSorted((a, b) => a - b);
  return payers.find((_, index) => (index + 1) * 1_000 >= percentile * 10 * payers.length) ?? null;
}

const who = fc.integer({ min: 0, max: 11 }).map((number) => `person-${number}`);
const shape = fc.record({
  who,
  name: fc.constantFrom('open', 'open', 'buy', 'like', '$exposure', '$exposure'),
  arm: fc.constantFrom('arm_1', 'arm_1', 'arm_1', 'arm_2'),
  isOverridden: fc.integer({ min: 0, max: 14 }).map((number) => number === 0),
  occurred: fc.integer({ min: 0, max: 40 }).map((number) => number * 5),
  delay: fc.integer({ min: -3, max: 8 }).map((number) => number * 5),
});
const cases = fc.record({
  shapes: fc.array(shape, { minLength: 30, maxLength: 120 }),
  payments: fc.array(
    fc.record({
      who,
      at: fc.integer({ min: 0, max: 240 }),
      amount: fc.integer({ min: 0, max: 50 }),
      isTrial: fc.boolean(),
    }),
    { maxLength: 20 },
  ),
  horizon: fc.integer({ min: 1, max: 20 }).map((number) => number * 5),
  now: fc.integer({ min: 20, max: 60 }).map((number) => number * 5),
  files: fc.boolean(),
  percentile: fc.constantFrom(99.9, 99, 95, 50),
});

const eventsOf = (shapes: readonly any[]): Event[] =>
  shapes.map(({ who, name, arm, isOverridden, occurred, delay }, index) => {
    const isExposure = name === '$exposure';
    return {
      who,
      name,
      ...(isExposure && { arm, overridden: isOverridden }),
      occurred,
      received: isExposure ? occurred : occurred + delay,
      arrival: index,
    };
  });

async function measured(
  { events, payments, horizon, now, percentile = 99.9 }: Case,
  files: boolean,
) {
  const rows = events.map(({ who, name, arm, overridden, occurred, received, arrival }) =>
    eventRow({
      name,
      anonymousId: who,
      occurredAtUs: START_US + occurred * MINUTE_US,
      receivedAtUs: START_US + received * MINUTE_US,
      arrival,
      props: arm
        ? JSON.stringify({ experiment: 'exp', arm, ...(overridden && { overridden }) })
        : null,
    }),
  );
  const source = {
    ...(files ? { files: [await duck.writeFile(rows)] } : { hotRows: rows }),
    dataThroughMs: (START_US + now * MINUTE_US) / 1_000,
  };
  return duck.query(source, (connection, whole) =>
    countOver(connection, whole, 'experiment', {
      orgId: ORG,
      appId: APP,
      steps: [{ event: 'open' }, { event: 'buy' }],
      fromUs: START_US - CONVERSION_WINDOW * MINUTE_US,
      startBeforeUs: START_US + 1_000 * MINUTE_US,
      windowUs: CONVERSION_WINDOW * MINUTE_US,
      filters: {},
      experimentId: 'exp',
      exposedFromUs: START_US,
      measure: {
        horizonUs: horizon * MINUTE_US,
        events: [{ event: 'like' }],
        capPercentile: percentile,
        payments: payments.map(({ who, at, amount, isTrial }) => ({
          person: who,
          atUs: START_US + at * MINUTE_US,
          amount,
          isTrial,
        })),
      },
    }),
  );
}

test('people whose window is over are measured as plain loops over their events find', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ shapes, payments, horizon, now, files, percentile }) => {
      const each = { events: eventsOf(shapes), payments, horizon, now, percentile };
      const expected = reference(each);
      const answer = await measured(each, files);
      expect(answer.overriddenPeople).toBe(expected.overridden);
      const cap = capOf(
        [...expected.arms.values()].flatMap(({ paid }) => paid),
        percentile,
      );
      expect(answer.measured?.cap ?? null).toBe(cap);
      const arms = new Map(answer.measured?.arms.map((arm) => [arm.armId, arm]));
      expect([...arms.keys()].toSorted()).toEqual([...expected.arms.keys()].toSorted());
      for (const [id, { people, bought, liked, trials, paid }] of expected.arms) {
        const arm = arms.get(id)!;
        expect(arm).toMatchObject({ people, converted: bought, events: [liked], trials });
        const counted = paid.map((amount) => Math.min(amount, cap ?? amount));
        expect(arm.revenue).toEqual({
          payers: paid.filter((amount) => amount > 0).length,
          capped: paid.filter((amount) => cap !== null && amount > cap).length,
          sum: counted.reduce((sum, amount) => sum + amount, 0),
          squares: counted.reduce((sum, amount) => sum + amount ** 2, 0),
        });
      }
    }),
    { numRuns: isFullRun ? 1_000 : 30 },
  );
});

/** People in two arms, of whom the first pay these amounts. */
function paying(people: number, amounts: readonly number[]) {
  const events = Array.from({ length: people }, (_, index) => ({
    who: `person-${index}`,
    name: '$exposure',
    arm: index % 2 === 0 ? 'arm_1' : 'arm_2',
    occurred: 0,
    received: 0,
    arrival: index,
  }));
  const payments = amounts.map((amount, index) => ({
    who: `person-${index}`,
    at: 1,
    amount,
    isTrial: false,
  }));
  return measured({ events, payments, horizon: 60, now: 120 }, false);
}

test('revenue a person is capped at the 99.9th percentile of those who paid, and says of how many', async () => {
  // Of 2,002 who paid, 10 is what the one of rank 2,000 did.
  const ofMany = Array.from({ length: 2_002 }, (_, index) => (index < 2 ? 1_000 : 10));
  const answer = await paying(2_100, ofMany);
  expect(answer.measured?.cap).toBe(10);
  const revenue = answer.measured?.arms.map((arm) => arm.revenue);
  expect(revenue?.map(({ sum, payers, capped }) => [sum, payers, capped])).toEqual([
    [10_010, 1_001, 1],
    [10_010, 1_001, 1],
  ]);
});

test('an expensive plan that few buy is not cut off', async () => {
  // Monthly and yearly plans, in turn to one arm and the other; one in a hundred buys.
  const [monthly, yearly] = [999, 5_999];
  const amounts = Array.from({ length: 30 }, (_, index) =>
    index % 2 === 1 && index < 6 ? yearly : monthly,
  );
  const answer = await paying(3_000, amounts);
  expect(answer.measured?.cap).toBe(yearly);
  const sums = answer.measured?.arms.map(({ armId, revenue }) => [armId, revenue.sum]);
  expect(sums?.toSorted()).toEqual([
    ['arm_1', 15 * monthly],
    ['arm_2', 12 * monthly + 3 * yearly],
  ]);
});
