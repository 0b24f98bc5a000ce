import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Places, SHORT_SECONDS } from '../../../../src/query/schedule/places.ts';
import { isFullRun } from '../../../support/random.ts';

type Asked = {
  person: string;
  org: string;
  seconds: number;
  payers: string[];
  costSeconds: number;
};
type Served = Asked & { askedAt: number; beganAt: number; lane: string };

const question = (person: string, org: string, seconds: number, costSeconds = 9): Asked => ({
  ...{ person, org, seconds, costSeconds },
  payers: [person, `${person}/${org}`],
});

/** A clock that jumps from the end of one question to that of the next; `refill` asks again. */
function simulate({
  capacity = { processes: 1, long: 1, short: 0 },
  arrivals,
  refill = () => [],
  untilS = Number.POSITIVE_INFINITY,
  look = () => undefined,
}: {
  capacity?: { processes: number; long: number; short: number };
  arrivals: readonly { at: number; asked: Asked }[];
  refill?: (ended: Asked, atS: number) => Asked[];
  untilS?: number;
  look?: (places: Places<Asked>, running: ReadonlyMap<Asked, Served>) => void;
}): Served[] {
  const places = new Places<Asked>(capacity);
  const coming = arrivals.toSorted((a, b) => a.at - b.at);
  const running = new Map<Asked, Served & { endsAt: number }>();
  const askedAt = new Map<Asked, number>();
  const served: Served[] = [];
  for (let nowS = 0; nowS < untilS; ) {
    for (; coming[0] && coming[0].at <= nowS; coming.shift()) {
      places.waiting.add(coming[0].asked);
      askedAt.set(coming[0].asked, nowS);
    }
    for (;;) {
      const next = places.next(nowS);
      if (!next) break;
      const { question: asked, lane } = next;
      const one = { ...asked, askedAt: askedAt.get(asked)!, beganAt: nowS, lane };
      served.push(one);
      running.set(asked, { ...one, endsAt: nowS + asked.seconds });
    }
    look(places, running);
    const times = [...running.values()].map(({ endsAt }) => endsAt);
    const then = Math.min(...times, coming[0]?.at ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(then)) break;
    nowS = then;
    for (const [asked, { endsAt }] of running) {
      if (endsAt > nowS) continue;
      expect(places.end(asked, nowS)).toBeCloseTo(asked.seconds, 6);
      running.delete(asked);
      for (const again of refill(asked, nowS)) {
        places.waiting.add(again);
        askedAt.set(again, nowS);
      }
    }
  }
  return served;
}

const atOnce = (...all: Asked[]) => all.map((asked) => ({ at: 0, asked }));
const namesOf = (served: readonly Served[]) => served.map(({ person }) => person);
const numRuns = isFullRun ? 5_000 : 60;

const askedShape = fc
  .record({
    person: fc.constantFrom('a', 'b', 'c', 'd'),
    org: fc.constantFrom('1', '2', '3'),
    seconds: fc.integer({ min: 1, max: 30 }),
    costSeconds: fc.constantFrom(0, 9),
  })
  .map(({ person, org, seconds, costSeconds }) => question(person, org, seconds, costSeconds));
const arrivalsShape = fc.array(
  fc.record({ at: fc.integer({ min: 0, max: 60 }), asked: askedShape }),
  {
    minLength: 1,
    maxLength: 40,
  },
);
const capacityShape = fc.record({
  processes: fc.integer({ min: 1, max: 3 }),
  long: fc.integer({ min: 1, max: 2 }),
  short: fc.integer({ min: 0, max: 1 }),
});

describe('the next question', () => {
  test('is of whoever used less: 25 seconds wait for 25 seconds', () => {
    const ones = Array.from({ length: 30 }, () => question('b', '1', 1));
    const served = simulate({
      arrivals: atOnce(question('a', '1', 25), question('a', '1', 25), ...ones),
    });
    expect(namesOf(served)).toEqual(['a', ...Array(25).fill('b'), 'a', ...Array(5).fill('b')]);
  });

  test('is not sooner that of a person with more organizations', () => {
    const all = ['1', '2', '3', '4', '5', '6'].map((org) => question('a', org, 10));
    const served = simulate({ arrivals: atOnce(...all, question('b', '1', 10)) });
    expect(namesOf(served)).toEqual(['a', 'b', 'a', 'a', 'a', 'a', 'a']);
  });

  test('goes round the organizations of a person', () => {
    const of = (org: string) => question('a', org, 10);
    const served = simulate({ arrivals: atOnce(of('1'), of('1'), of('1'), of('2'), of('3')) });
    expect(served.map(({ org }) => org)).toEqual(['1', '2', '3', '1', '1']);
  });

  test('is nobody’s credit for having asked nothing for long', () => {
    const alone = Array.from({ length: 9 }, () => question('a', '1', 10));
    const late = Array.from({ length: 3 }, () => ({ at: 50, asked: question('b', '1', 10) }));
    const served = simulate({ arrivals: [...atOnce(...alone), ...late] });
    expect(namesOf(served).slice(5, 9)).toEqual(['b', 'a', 'b', 'a']);
  });

  test('leaves one place to other persons, however many organizations one has', () => {
    const all = ['1', '2', '3', '4', '5', '6'].map((org) => question('a', org, 30));
    const served = simulate({
      capacity: { processes: 1, long: 2, short: 1 },
      arrivals: [...atOnce(...all), { at: 1, asked: question('b', '1', 30) }],
    });
    expect(served.find(({ person }) => person === 'b')!.beganAt).toBe(1);
  });

  test('if short, has a place that long ones never take', () => {
    const persons = ['a', 'b', 'c', 'd', 'e', 'f'];
    const served = simulate({
      capacity: { processes: 1, long: 2, short: 1 },
      arrivals: [
        ...atOnce(...persons.map((person) => question(person, '1', 30))),
        { at: 5, asked: question('z', '1', 1, SHORT_SECONDS) },
      ],
    });
    expect(served.find(({ person }) => person === 'z')).toMatchObject({
      beganAt: 5,
      lane: 'short',
    });
  });

  test('begins in every case, and no place stays free that somebody could have', () => {
    fc.assert(
      fc.property(arrivalsShape, capacityShape, (arrivals, capacity) => {
        const served = simulate({
          ...{ arrivals, capacity },
          look: (places, running) => {
            const held = [...running.values()];
            for (const asked of places.waiting) {
              const lanes = asked.costSeconds <= SHORT_SECONDS ? ['long', 'short'] : ['long'];
              for (const lane of lanes) {
                const total =
                  capacity.processes * (lane === 'long' ? capacity.long : capacity.short);
                const inLane = held.filter((one) => one.lane === lane);
                const own = inLane.filter(({ person }) => person === asked.person);
                const isFull = inLane.length === total;
                expect(isFull || own.length >= Math.max(1, total - 1)).toBe(true);
                expect(inLane.length).toBeLessThanOrEqual(total);
              }
            }
          },
        });
        expect(served).toHaveLength(arrivals.length);
      }),
      { numRuns },
    );
  });

  test('is that of a newcomer before anybody else has two more turns', () => {
    fc.assert(
      fc.property(arrivalsShape, fc.integer({ min: 0, max: 300 }), (arrivals, at) => {
        const newcomer = question('new', '1', 1);
        const served = simulate({
          arrivals: [...arrivals, { at, asked: newcomer }],
          refill: (ended, nowS) =>
            ended.person === 'new' || nowS > 600 ? [] : [question(ended.person, ended.org, 30)],
        });
        const { askedAt, beganAt } = served.find(({ person }) => person === 'new')!;
        const before = served.filter((one) => one.beganAt >= askedAt && one.beganAt < beganAt);
        for (const [, turns] of Map.groupBy(before, ({ person }) => person)) {
          expect(turns.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns },
    );
  });

  test('is chosen so that persons who always ask use equal time, as do their organizations', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(lengths, lengths, lengths, (a, b, c) => {
        const all = { a, b, c };
        const turns = new Map<string, number>();
        const next = (person: 'a' | 'b' | 'c', org: string) => {
          const turn = turns.get(person + org) ?? 0;
          turns.set(person + org, turn + 1);
          return question(person, org, all[person][turn % all[person].length]!);
        };
        const isOf = (person: string): person is 'a' | 'b' | 'c' => Object.hasOwn(all, person);
        const orgs = ['1', '2', '3', '4', '5', '6'];
        const served = simulate({
          arrivals: atOnce(...orgs.map((org) => next('a', org)), next('b', '1'), next('c', '1')),
          refill: ({ person, org }) => (isOf(person) ? [next(person, org)] : []),
          untilS: 2_000,
        });
        const used = (fits: (one: Served) => boolean) =>
          served.filter(fits).reduce((sum, { seconds }) => sum + seconds, 0);
        const spread = (figures: number[]) => Math.max(...figures) - Math.min(...figures);
        // As start-time fair queueing promises: the longest question of each of two.
        expect(
          spread(['a', 'b', 'c'].map((name) => used(({ person }) => person === name))),
        ).toBeLessThanOrEqual(60);
        expect(
          spread(orgs.map((name) => used(({ person, org }) => person === 'a' && org === name))),
        ).toBeLessThanOrEqual(60);
      }),
      { numRuns },
    );
  });
});
