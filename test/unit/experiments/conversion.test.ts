import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const MINUTE_US = 60_000_000;
const START_US = Date.UTC(2026, 2, 1) * 1_000;
const SLOW_MINUTES = 10;

/** Minutes since the start of the experiment. */
type Event = {
  who: string;
  name: string;
  arm?: string;
  occurred: number;
  received: number;
  arrival: number;
};
type Funnel = { steps: string[]; window: number; from: number; until: number };

/** Every choice of one event for each step, in order and in time; tried one by one. */
function hasPath(
  events: readonly Event[],
  { steps, window }: Funnel,
  depth: number,
  fits: (event: Event, step: number) => boolean,
): boolean {
  const lead = (path: Event[]): boolean => {
    if (path.length === depth) return true;
    return events.some((event) => {
      if (path.includes(event) || event.name !== steps[path.length]) return false;
      const [first] = path;
      const last = path.at(-1);
      if (last && event.occurred < last.occurred) return false;
      if (first && event.occurred > first.occurred + window) return false;
      return fits(event, path.length) && lead([...path, event]);
    });
  };
  return lead([]);
}

const isReceivedAfter = (a: Event, b: Event) =>
  a.received > b.received || (a.received === b.received && a.arrival > b.arrival);

/** The arm of each person (null for two of them) and how far their paths lead in it. */
function reference(events: readonly Event[], funnel: Funnel) {
  const people = [...Map.groupBy(events, (event) => event.who).values()];
  return people.map((own) => {
    const exposures = own.filter((event) => event.arm !== undefined);
    const arms = new Set(exposures.map((event) => event.arm));
    const [exposure] = exposures.toSorted((a, b) => (isReceivedAfter(a, b) ? 1 : -1));
    const within = (event: Event) => event.occurred >= funnel.from && event.occurred < funnel.until;
    const anyPath = (event: Event, step: number) => step > 0 || within(event);
    const armPath = (event: Event, step: number) => {
      if (!exposure || !anyPath(event, step)) return false;
      if (step === 0 && event.occurred < exposure.received - funnel.window) return false;
      if (step < funnel.steps.length - 1) return true;
      return event.occurred >= exposure.received - SLOW_MINUTES && isReceivedAfter(event, exposure);
    };
    const depthBy = (fits: (event: Event, step: number) => boolean) =>
      Math.max(
        0,
        ...funnel.steps.map((_, step) => (hasPath(own, funnel, step + 1, fits) ? step + 1 : 0)),
      );
    const arm = arms.size === 1 ? [...arms][0]! : null;
    return {
      exposed: exposures.length > 0,
      arm,
      depth: depthBy(anyPath),
      depthInArm: arm === null ? 0 : depthBy(armPath),
    };
  });
}

function toRow({ who, name, arm, occurred, received, arrival }: Event): EventRow {
  return eventRow({
    name,
    anonymousId: who,
    occurredAtUs: START_US + occurred * MINUTE_US,
    receivedAtUs: START_US + received * MINUTE_US,
    arrival,
    props: arm === undefined ? null : JSON.stringify({ experiment: 'exp_1', arm }),
  });
}

const rulesOf = ({ steps, window, from, until }: Funnel) => ({
  orgId: ORG,
  appId: APP,
  steps: steps.map((event) => ({ event })),
  fromUs: START_US + from * MINUTE_US,
  startBeforeUs: START_US + until * MINUTE_US,
  windowUs: window * MINUTE_US,
  filters: {},
});

async function experimentOf(rows: EventRow[], funnel: Funnel, files = false) {
  const source = files ? { files: [await duck.writeFile(rows)] } : { hotRows: rows };
  const question = { ...rulesOf(funnel), experimentId: 'exp_1', exposedFromUs: START_US };
  return duck.query(source, (connection, whole) =>
    countOver(connection, whole, 'experiment', question),
  );
}

async function breakdownOf(rows: EventRow[], funnel: Funnel) {
  const rules = rulesOf(funnel);
  const exposures = { experimentId: 'exp_1', exposedFromUs: START_US };
  return duck.query({ hotRows: rows }, async (connection, whole) => {
    const breakdown = { kind: 'arm' as const, ...exposures, exposedOnly: false };
    const question = { ...rules, breakdown, trendFromUs: null };
    return countOver(connection, whole, 'funnel', question);
  });
}

const shape = fc.record({
  who: fc.integer({ min: 0, max: 9 }),
  name: fc.constantFrom('a', 'b', 'c', '$exposure', '$exposure'),
  arm: fc.constantFrom('arm_1', 'arm_1', 'arm_1', 'arm_2'),
  /** In steps of five minutes, so that the edges of the ten are hit. */
  occurred: fc.integer({ min: -4, max: 24 }).map((n) => n * 5),
  delay: fc.integer({ min: -3, max: 6 }).map((n) => n * 5),
  earlier: fc.boolean(),
});
const cases = fc.record({
  shapes: fc.array(shape, { minLength: 20, maxLength: 90 }),
  steps: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 3 }),
  window: fc.integer({ min: 0, max: 12 }).map((n) => n * 5),
  until: fc.integer({ min: 2, max: 30 }).map((n) => n * 5),
  reportFrom: fc.integer({ min: 0, max: 8 }).map((n) => n * 5),
  files: fc.boolean(),
});

const counts = (list: number[], steps: number) =>
  Array.from({ length: steps }, (_, step) => list.filter((depth) => depth > step).length);

test('a search of all paths finds the same conversions in each arm, and in a funnel by arm', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ shapes, steps, window, until, reportFrom, files }) => {
      const events = shapes.map(({ who, name, arm, occurred, delay, earlier }, index): Event => {
        const isExposure = name === '$exposure';
        const at = isExposure ? Math.max(occurred, 0) : occurred;
        return {
          who: `person-${who}`,
          name,
          ...(isExposure && { arm }),
          occurred: at,
          // An exposure occurs when it is received; a fast clock is received before it occurs.
          received: isExposure ? at : at + delay,
          arrival: earlier ? 1_000 - index : 1_000 + index,
        };
      });
      const rows = events.map(toRow);

      const whole: Funnel = { steps, window, from: -window, until };
      const exposedInTime = events.filter((one) => !one.arm || one.occurred < until);
      const people = reference(exposedInTime, whole);
      const answer = await experimentOf(rows, whole, files);
      expect(answer.mixedPeople).toBe(people.filter((one) => one.exposed && !one.arm).length);
      for (const arm of ['arm_1', 'arm_2']) {
        const members = people.filter((one) => one.arm === arm);
        const found = answer.arms.find((one) => one.armId === arm);
        expect(found?.people ?? 0).toBe(members.length);
        const reached = members.map((one) => one.depthInArm);
        expect(found?.funnel?.people ?? steps.map(() => 0)).toEqual(counts(reached, steps.length));
      }

      const report: Funnel = { steps, window, from: reportFrom, until: reportFrom + until };
      const lastExposure = report.until + window;
      const seen = reference(
        events.filter((one) => !one.arm || one.occurred < lastExposure),
        report,
      );
      const broken = await breakdownOf(rows, report);
      expect(broken.total.people).toEqual(
        counts(
          seen.map((one) => one.depth),
          steps.length,
        ),
      );
      const groups = new Map(broken.breakdown?.map((one) => [one.value, one.tally.people]));
      for (const arm of ['arm_1', 'arm_2', 'none']) {
        const reached = seen.map((one) =>
          one.depthInArm > 0
            ? one.arm === arm
              ? one.depthInArm
              : 0
            : arm === 'none'
              ? one.depth
              : 0,
        );
        expect(groups.get(arm) ?? steps.map(() => 0)).toEqual(counts(reached, steps.length));
      }
    }),
    { numRuns: Number(process.env.TEST_FULL ? 1_000 : 30) },
  );
});

describe('who saw an arm and then did the rest has converted', () => {
  const funnel: Funnel = { steps: ['open', 'buy'], window: 60, from: -60, until: 600 };
  const exposure = (received: number): Event => ({
    who: 'p',
    name: '$exposure',
    arm: 'arm_1',
    occurred: received,
    received,
    arrival: 100,
  });
  const did = (name: string, occurred: number, received = occurred, arrival = 200): Event => ({
    who: 'p',
    name,
    occurred,
    received,
    arrival,
  });
  const depths = async (events: Event[]) => {
    const { arms } = await experimentOf(events.map(toRow), funnel);
    return arms[0]?.funnel?.people ?? [0, 0];
  };

  test.each<[string, Event[], number[]]>([
    ['step 1 before the exposure', [did('open', 0), exposure(1), did('buy', 2)], [1, 1]],
    ['step 1 after the exposure', [exposure(1), did('open', 2), did('buy', 3)], [1, 1]],
    [
      'step 1 the whole conversion window before it',
      [did('open', 0), exposure(60), did('buy', 60)],
      [1, 1],
    ],
    ['step 1 longer before it', [did('open', 0), exposure(61), did('buy', 61)], [0, 0]],
    ['the last step before the exposure', [did('open', 0), did('buy', 1), exposure(2)], [1, 0]],
    [
      'the last step before it and once more after it',
      [did('open', 0), did('buy', 1), exposure(2), did('buy', 3)],
      [1, 1],
    ],
    [
      'received in the millisecond of the exposure, after it',
      [did('open', 0), exposure(1), did('buy', 1, 1, 101)],
      [1, 1],
    ],
    [
      'received in the millisecond of the exposure, before it',
      [did('open', 0), exposure(1), did('buy', 1, 1, 99)],
      [1, 0],
    ],
    ['a clock ten minutes slow', [did('open', -10, 0), exposure(1), did('buy', -9, 1)], [1, 1]],
    ['a clock slower than that', [did('open', -12, 0), exposure(1), did('buy', -10, 1)], [1, 0]],
    [
      'a fast clock: done before the exposure, by the device after it',
      [did('open', 3, 0), did('buy', 4, 0.5), exposure(1)],
      [1, 0],
    ],
    ['a queue sent hours later', [did('open', 0, 300), exposure(1), did('buy', 5, 300)], [1, 1]],
    [
      'done before the exposure and sent after it',
      [did('open', 0, 90), did('buy', 10, 90), exposure(30)],
      [1, 0],
    ],
  ])('%s', async (_, events, expected) => {
    expect(await depths(events)).toEqual(expected);
  });
});
