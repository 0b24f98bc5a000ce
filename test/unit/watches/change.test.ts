import { describe, expect, test } from 'bun:test';
import {
  FEWEST_DIFFERENCES,
  type FigurePoint,
  judgeChange,
  pointsNeeded,
  type Scale,
} from '../../../src/modules/watches/rules/change.ts';
import { judge, stateAfter } from '../../../src/modules/watches/rules/judge.ts';

const LAG = 7;
const DAYS = pointsNeeded(LAG);
const BY_DAY = { scale: 'count' as Scale, lag: LAG };

/** Days that differ by three percent up and down, and a last one. */
function days(usual: number, last: number, { count = DAYS, people = (of: number) => of } = {}) {
  return Array.from({ length: count }, (_, day): FigurePoint => {
    const wave = 1 + 0.03 * [0, 1, -1, 0.5, -0.5][day % 5]!;
    const value = day === count - 1 ? last : Math.round(usual * wave);
    return { fromMs: day, toMs: day + 1, value, people: people(value) };
  });
}

describe('a change against the same weekday', () => {
  test.each([
    [1_000, 'within'],
    [905, 'within'],
    [700, 'below'],
    [0, 'below'],
    [1_400, 'above'],
  ] as const)('of 1,000 people to %i is %s', (last, verdict) => {
    const judged = judgeChange(days(1_000, last), BY_DAY);
    expect(judged.verdict).toBe(verdict);
    expect(judged.usual).toBeGreaterThan(960);
    expect(judged.usual).toBeLessThan(1_040);
  });

  test.each([
    [49, 0],
    [49, 500],
    [10, 1_000],
  ])('of %i people to %i is none: they are under fifty', (usual, last) => {
    const judged = judgeChange(days(usual, last).map(steady(usual)), BY_DAY);
    expect(judged).toEqual({ verdict: 'too_few_people', usual: null });
  });
  const steady =
    (usual: number) =>
    (point: FigurePoint, index: number): FigurePoint =>
      index === DAYS - 1 ? point : { ...point, value: usual, people: usual };

  test.each(['share', 'value'] as const)(
    'of a %s is none where it is withheld today or was before',
    (scale) => {
      const shown = days(1, 1).map((point) => ({ ...point, value: 0.2, people: 200 }));
      const now = { ...shown.at(-1)!, value: null, people: 49 };
      expect(judgeChange([...shown.slice(0, -1), now], { scale, lag: LAG }).verdict).toBe(
        'too_few_people',
      );
      const before = shown.slice(0, -1).map((point) => ({ ...point, value: null, people: 49 }));
      expect(judgeChange([...before, shown.at(-1)!], { scale, lag: LAG }).verdict).toBe(
        'too_short_a_past',
      );
    },
  );

  test('of a sum is told when nobody pays, also under fifty, and not where nobody did before', () => {
    const sum = { scale: 'sum' as Scale, lag: LAG };
    const paid = days(1_000, 1_000).map((point) => ({ ...point, people: 100 }));
    const now = (value: number, people: number) => [
      ...paid.slice(0, -1),
      { ...paid.at(-1)!, value, people },
    ];
    expect(judgeChange(now(0, 0), sum)).toMatchObject({ verdict: 'below' });
    expect(judgeChange(now(0, 0), sum).usual).toBeGreaterThan(960);
    expect(judgeChange(now(300, 30), sum).verdict).toBe('below');
    expect(judgeChange(now(1_010, 49), sum).verdict).toBe('within');
    const closed = paid.map((point, day) =>
      day % LAG === (DAYS - 1) % LAG ? { ...point, value: 0, people: 0 } : point,
    );
    expect(judgeChange(closed, sum).verdict).toBe('too_short_a_past');
    const [last] = now(0, 0).slice(-1);
    for (const [side, verdict] of [
      ['below', 'beyond'],
      ['above', 'within'],
    ] as const) {
      const rule = { kind: 'threshold', side, value: 100 } as const;
      expect(judge(rule, { points: [last!], scale: 'sum', lag: null }).verdict).toBe(verdict);
    }
  });

  test('needs four weeks, of which the days before the first event are none', () => {
    const lastOf = (count: number) => judgeChange(days(1_000, 300, { count }), BY_DAY).verdict;
    const needed = 2 * LAG + FEWEST_DIFFERENCES + 1;
    expect([lastOf(needed - 1), lastOf(needed)]).toEqual(['too_short_a_past', 'below']);
    const empty = Array.from({ length: 30 }, () => ({ ...days(0, 0)[0]!, value: 0, people: 0 }));
    const young = [...empty, ...days(1_000, 300, { count: needed - 1 })];
    expect(judgeChange(young, BY_DAY).verdict).toBe('too_short_a_past');
  });

  test('is not seen in the echo of one odd day a week ago', () => {
    const all = days(1_000, 1_000);
    all[DAYS - 1 - LAG] = { ...all[DAYS - 1]!, value: 4_000, people: 4_000 };
    expect(judgeChange(all, BY_DAY).verdict).toBe('within');
  });

  test('is not seen in an app that grows as it did', () => {
    const growing = days(1_000, 1_000).map((point, day) => {
      const value = Math.round((point.value ?? 0) * 1.01 ** day);
      return { ...point, value, people: value };
    });
    expect(judgeChange(growing, BY_DAY).verdict).toBe('within');
  });

  test('is not larger than what the past did without a cause', () => {
    const wild = days(1_000, 500).map((point, day) => {
      const value = day === DAYS - 1 ? 500 : 1_000 * [0.6, 1, 1.5, 0.8, 1.2][day % 5]!;
      return { ...point, value, people: value };
    });
    expect(judgeChange(wild, BY_DAY).verdict).toBe('within');
  });

  test('of a share is judged by its people: two hundred say less than twenty thousand', () => {
    const verdictOf = (people: number) => {
      const all = days(1, 1).map((point, day) => ({
        ...point,
        value: day === DAYS - 1 ? 0.07 : 0.1 + 0.002 * ((day % 5) - 2),
        people,
      }));
      return judgeChange(all, { scale: 'share', lag: LAG }).verdict;
    };
    expect([verdictOf(200), verdictOf(20_000)]).toEqual(['within', 'below']);
  });
});

describe('a watch', () => {
  const point = (value: number | null) => ({ fromMs: 0, toMs: 1, value, people: value ?? 0 });
  const figure = (value: number | null) => ({
    points: [point(value)],
    scale: 'count' as Scale,
    lag: null,
  });
  const threshold = (side: 'above' | 'below') => ({ kind: 'threshold', side, value: 10 }) as const;

  test.each([
    ['above', 10, 'within'],
    ['above', 11, 'beyond'],
    ['below', 10, 'within'],
    ['below', 9, 'beyond'],
    ['below', null, 'too_few_people'],
  ] as const)('of a threshold %s ten with %p is %s', (side, value, verdict) => {
    expect(judge(threshold(side), figure(value))).toEqual({ verdict, usual: null });
  });

  test.each([
    ['below', 'beyond'],
    ['above', 'within'],
    ['either', 'beyond'],
    [undefined, 'beyond'],
  ] as const)('of a change to the side %p of a fall is %s', (side, verdict) => {
    const rule = { kind: 'change', ...(side && { side }) } as const;
    const fallen = { points: days(1_000, 300), scale: 'count' as Scale, lag: LAG };
    expect(judge(rule, fallen).verdict).toBe(verdict);
  });

  test.each([
    ['waiting', 'beyond', 'beyond', 'began'],
    ['quiet', 'beyond', 'beyond', 'began'],
    ['beyond', 'beyond', 'beyond', null],
    ['beyond', 'within', 'quiet', 'over'],
    ['quiet', 'within', 'quiet', null],
    ['waiting', 'within', 'quiet', null],
    ['beyond', 'too_few_people', 'beyond', null],
    ['waiting', 'too_short_a_past', 'waiting', null],
  ] as const)('that is %s and sees %s is %s, and tells %p', (before, verdict, state, told) => {
    expect(stateAfter(before, verdict)).toEqual({ state, told });
  });
});
