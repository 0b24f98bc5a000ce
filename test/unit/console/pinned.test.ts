import { describe, expect, test } from 'bun:test';
import { keptIn, pinOf } from '../../../src/console/pages/questions/kept-question.ts';
import { askedOf, drawingOf } from '../../../src/console/pages/today/pinned-drawing.ts';
import { readAsk, type TrendAsk } from '../../../src/console/state/ask.ts';
import type { Funnel } from '../../../src/console/state/funnels.ts';
import { pinsAfter } from '../../../src/console/state/pinned-views.ts';
import type { PinnedView } from '../../../src/console/state/pins.ts';
import { rangeOf, resolveRange } from '../../../src/console/state/ranges.ts';
import { REST } from '../../../src/console/state/sent-values.ts';
import { questions as t } from '../../../src/console/texts/questions.ts';

const TODAY = '2026-11-23';
type Address = Readonly<Record<string, string>>;
const pinAt = (query: string, title = query): PinnedView => ({ title, page: 'trends', query });
const [one, two, view] = [pinAt('saved=qst_1'), pinAt('saved=qst_2'), pinAt('breakdown=country')];

test('a pin is changed in its place, taken away alone and added last', () => {
  const changed = pinAt('draw=bar&saved=qst_1', 'Bars');
  expect(pinsAfter([one, two, view], changed, true)).toEqual([changed, two, view]);
  expect(pinsAfter([one, two, view], changed, false)).toEqual([two, view]);
  expect(pinsAfter([two, view], changed, true)).toEqual([two, view, changed]);
  const named = { ...view, title: 'By country' };
  expect(pinsAfter([view, one], named, true)).toEqual([named, one]);
  const elsewhere: PinnedView = { ...view, page: 'funnels' };
  expect(pinsAfter([view], elsewhere, true)).toEqual([view, elsewhere]);
});

const PEOPLE = { of: 'people' } as const;
const EVENTS = { of: 'events' } as const;
const askAt = (series: TrendAsk['series'], measure: TrendAsk['measure'] = PEOPLE): TrendAsk => ({
  ...{ kind: 'trend', series, measure },
});
const keptAt = (query: Address, ask: TrendAsk = askAt([{}])) =>
  keptIn({
    ...{ query, ask: readAsk(query.q) ?? ask },
    range: resolveRange(rangeOf(query), TODAY),
    frame: { environment: 'production', interval: 'day', periods: 14, window: {} },
  } as unknown as Parameters<typeof keptIn>[0]);
const inFull = (ask: TrendAsk): Address => ({ q: JSON.stringify(ask) });

describe('what is saved', () => {
  const dates = { from: '2026-11-01', to: '2026-11-09' };
  const windows: [Address, object][] = [
    [{}, { days: 28 }],
    [{ days: '7' }, { days: 7 }],
    [dates, dates],
  ];
  test.each(windows)('of %j is a question of the days %j', (query, window) => {
    expect(keptAt(query).question).toMatchObject({ kind: 'series', ...window });
  });

  test.each(['today', 'yesterday', 'month'])('of %s goes on with the days', (days) => {
    const query = { event: 'paid', days, saved: 'qst_1', point: TODAY };
    expect(keptAt(query)).toEqual({ view: `event=paid&days=${days}` });
    const whole = { ...inFull(askAt([{}])), days };
    expect(keptAt(whole)).toEqual({ view: `${new URLSearchParams(whole)}` });
  });

  test('is the address where no question says it, and else the reason', () => {
    const [both, byTwo] = [
      askAt([{ events: ['a'] }, { events: ['b'] }], EVENTS),
      askAt([{}], EVENTS),
    ];
    const query = { event: 'a,b', chart: 'events' };
    expect(keptAt(query, both)).toEqual({ view: 'event=a%2Cb&chart=events' });
    expect(keptAt(inFull(both))).toEqual({ view: `${new URLSearchParams(inFull(both))}` });
    const long = askAt([{ events: ['a'.repeat(2_000)] }, {}], EVENTS);
    expect(keptAt(inFull(long))).toEqual({ why: t.onlyPeople });
    const crossed: TrendAsk = { ...byTwo, breakdown: ['platform', 'country'] };
    expect(keptAt(inFull(crossed))).toHaveProperty('view');
    expect(keptAt(inFull({ ...both, measure: { of: 'sessions' } }))).toEqual({ why: t.onlyOne });
    expect(keptAt({ chart: 'ratio', saved: 'qst_1' })).toEqual({ view: 'chart=ratio' });
    expect(keptAt({ ...inFull(askAt([{}])), chart: 'ratio' })).toEqual({ why: t.noRatio });
  });

  test('is pinned as it is drawn, with the line that is shown alone', () => {
    const kept = { id: 'qst_1', name: 'Sales' };
    const queryOf = (query: Address) => pinOf({ door: 'trends', query }, kept).query;
    expect(queryOf({ event: 'paid', draw: 'bar' })).toBe('draw=bar&saved=qst_1');
    const alone = { breakdown: 'platform', only: 'ios', saved: 'qst_0', of: 'ios' };
    expect(queryOf(alone)).toBe('only=ios&saved=qst_1');
    expect(queryOf({ ...inFull(askAt([{}])), only: 'ios' })).toBe('only=ios&saved=qst_1');
  });
});

test('a pinned view of a funnel that is gone asks for no other one', () => {
  const funnels = [{ id: 'fun_1', steps: [{ event: 'a' }, { event: 'b' }] }] as unknown as Funnel[];
  const asked = (page: PinnedView['page'], query: string, known = funnels) =>
    askedOf({ title: 'Paying', page, query }, undefined, known)?.ask.kind;
  expect(asked('funnels', 'funnel=fun_2')).toBeUndefined();
  expect(asked('funnels', 'funnel=fun_1')).toBe('funnel');
  expect(asked('funnels', '')).toBe('funnel');
  expect(asked('funnels', '', [])).toBeUndefined();
  expect(asked('trends', '', [])).toBe('trend');
});

describe('a pinned card draws', () => {
  const from = '2026-11-22T00:00:00.000Z';
  const common = { interval: 'day', timezone: 'UTC' };
  const totals = { people: 1, events: 1, value: 1 };
  const counted = (people: number) => ({
    totals,
    points: [
      {
        ...{ from, people, events: 10 * people },
        ...{ previousPeople: people + 1, previousEvents: 10 * people + 1 },
      },
    ],
  });
  const seriesOf = (keys: readonly object[]) => ({
    ...{ kind: 'series', ...common, ...counted(9) },
    series: keys.map((key, index) => ({ ...key, ...counted(index + 1) })),
  });
  const drawn = (answer: object, ask: TrendAsk, parameters: Address) => {
    const { series, previous } = drawingOf(
      answer as Parameters<typeof drawingOf>[0],
      ask,
      parameters,
    );
    const lines = series.map(({ name, values }) => [name, ...values]);
    return { lines, before: previous?.values };
  };
  const compare = 'previous';

  test('events against the events before', () => {
    const answer = seriesOf([{ key: 'all' }]);
    expect(drawn(answer, askAt([{}], EVENTS), { compare }).before).toEqual([91]);
    expect(drawn(answer, askAt([{}]), { compare }).before).toEqual([10]);
  });

  test('a line that is shown alone against its own past, and all of them against none', () => {
    const ask: TrendAsk = { ...askAt([{}]), breakdown: 'prop:plan' };
    const answer = seriesOf([{ key: 'a' }, { key: 'b' }, { key: 'other', rest: true }]);
    expect(drawn(answer, ask, { compare, only: 'b' })).toEqual({ lines: [['b', 2]], before: [3] });
    const all = [
      ['a', 1],
      ['b', 2],
      ['Other', 3],
    ];
    expect(drawn(answer, ask, { compare })).toEqual({ lines: all, before: undefined });
    const { only = '' } = Object.fromEntries(new URLSearchParams({ only: `${REST}other` }));
    expect(drawn(answer, ask, { only }).lines).toEqual([['Other', 3]]);
  });

  test('a line of each range, of each pair and of each value that events are counted by', () => {
    const ranges: TrendAsk = {
      ...askAt([{}]),
      breakdown: { property: 'price', bounds: [5] },
    };
    const named = seriesOf([{ key: '< 5' }, { key: '≥ 5' }]);
    expect(drawn(named, ranges, {}).lines.map(([name]) => name)).toEqual(['< 5', '≥ 5']);
    const pairs: TrendAsk = { ...askAt([{}]), breakdown: ['prop:a', 'prop:b'] };
    const crossed = seriesOf([{ key: 'x', crossed: { key: 'y' } }]);
    expect(drawn(crossed, pairs, {}).lines).toEqual([['x · y', 1]]);
    const points = [{ from, value: 4, previousValue: 3 }];
    const series = ['pro', 'free'].map((key) => ({ key, totals, points }));
    const events = { kind: 'measures', ...common, totals, points, series };
    const byPlan: TrendAsk = { ...askAt([{}], EVENTS), breakdown: 'prop:plan' };
    expect(drawn(events, byPlan, {}).lines).toEqual([
      ['pro', 4],
      ['free', 4],
    ]);
  });
});
