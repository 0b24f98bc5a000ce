import type { QueryEngine } from '../../src/query/engine.ts';
import type { FunnelQuestion } from '../../src/query/funnel/model.ts';
import type { MeasuresQuestion } from '../../src/query/measures/model.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import type { Selected } from '../../src/query/selection/selected.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { answerHere } from '../../src/query/server.ts';
import type { LifecycleQuestion } from '../../src/query/lifecycle/model.ts';
import { benchQuestion } from '../funnel/question.ts';
import { dauQuestion, retentionQuestion } from '../peers/ours.ts';
import type { BenchEvents } from '../support/event-files.ts';

const ON_IOS = { platform: 'ios' };
const SCREEN = 'screen';
/** One of fifty. */
const AT_HOME = { property: { prop: SCREEN, equals: 'home7' } };
const IOS: Selected = { where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] } };

/** What ClickHouse is asked: a statement of `clickhouse/` and what stands in its places. */
export type Peer = {
  statement:
    | 'cohorts'
    | 'funnel'
    | 'funnel-first'
    | 'lifecycle'
    | 'p90'
    | 'paths'
    | 'retention'
    | 'series'
    | 'series-first'
    | 'sum'
    | 'sums-of-people';
  places: Record<string, string>;
};

export type Asked = {
  label: string;
  /** Of which the answer shows that the same was counted. */
  ask: (engine: QueryEngine) => Promise<number[]>;
  peer: Peer;
  /** The same with the property as a column of its own. */
  materialized?: Peer;
};

const fromJson = `JSONExtractString(coalesce(props, ''), '${SCREEN}')`;
const CLIENTS = "NOT startsWith(name, '$')";

const TEN_DAYS_US = 10 * 86_400_000_000;
const MONTH_US = 31 * 86_400_000_000;
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** A property of a hundred thousand values, which only a column holds. */
export const DURATION = 'duration';
const SEARCHED_TWICE = 'seg_twice';

const numberFromJson = (prop: string) => `JSONExtractFloat(coalesce(props, ''), '${prop}')`;

const numberOf = (
  property: string,
  statistic: 'median' | 'p90' | 'sum',
  per: 'event' | 'person',
) => ({
  ...{ of: 'property' as const, property, statistic, per },
});

/** Plain questions first, then those with a condition or a breakdown. */
export function questionsOf(bench: Pick<BenchEvents, 'appId' | 'startMs'>): Asked[] {
  const funnel = (changes: Partial<FunnelQuestion>) => async (engine: QueryEngine) => {
    const question = { ...benchQuestion(bench.appId, bench.startMs), ...changes };
    return (await answerHere(engine, 'funnel', question)).total.people;
  };
  const series = (changes: Partial<SeriesQuestion>) => async (engine: QueryEngine) => {
    const { total } = await answerHere(engine, 'series', { ...dauQuestion(bench), ...changes });
    return [sum(total.people), sum(total.events)];
  };
  const retention = (changes: Partial<RetentionQuestion>) => async (engine: QueryEngine) => {
    const question = { ...retentionQuestion(bench), ...changes };
    return [(await answerHere(engine, 'retention', question)).people];
  };
  const lifecycle = (changes: Partial<LifecycleQuestion>) => async (engine: QueryEngine) => {
    const { orgId, appId, boundariesUs } = dauQuestion(bench);
    const question = { orgId, appId, boundariesUs, names: null, filters: {}, ...changes };
    const { people, intervals } = await answerHere(engine, 'lifecycle', question);
    return [people, sum(intervals.map((one) => one.new)), sum(intervals.map((one) => one.dormant))];
  };
  const measures =
    (asked: Pick<MeasuresQuestion, 'breakdown' | 'measure' | 'names'>) =>
    async (engine: QueryEngine) => {
      const { boundariesUs, ranges, orgId, appId } = dauQuestion(bench);
      const { measured, series = [] } = await answerHere(engine, 'measures', {
        ...{ orgId, appId, boundariesUs, ranges, filters: {}, ...asked },
      });
      const all = [measured, ...series.map((one) => one.measured)];
      return all.flatMap((one) => [
        sum(one.map(({ value }) => value ?? 0)),
        sum(one.map(({ count }) => count)),
      ]);
    };
  const p90 = (property: string, name: string) =>
    measures({ names: [name], measure: numberOf(property, 'p90', 'event') });
  const paths = (names: string[]) => async (engine: QueryEngine) => {
    const { orgId, appId, boundariesUs } = dauQuestion(bench);
    const [fromUs = 0] = boundariesUs;
    const { sessions, people, steps } = await answerHere(engine, 'paths', {
      ...{ orgId, appId, names, filters: {}, direction: 'after', shown: 8, fromUs },
      beforeUs: fromUs + MONTH_US,
    });
    return [sessions, people, ...steps.map(({ nodes }) => sum(nodes.map((node) => node.people)))];
  };
  const ofSegment = funnel({
    where: { all: [{ segment: SEARCHED_TWICE, is: true }] },
    memberships: [
      {
        ...{ id: SEARCHED_TWICE, asOf: 'now', beforeUs: bench.startMs * 1_000 + MONTH_US },
        rules: [
          {
            match: 'all',
            clauses: [{ kind: 'did', names: ['other_1'], least: 2, most: null, fromUs: null }],
          },
        ],
      },
    ],
  });
  const peer = (statement: Peer['statement'], places: Peer['places']): Peer => ({
    statement,
    places: { entry: 'true', value: "''", condition: CLIENTS, ...places },
  });
  const byScreen = (value: string, condition = CLIENTS) => peer('series', { value, condition });
  const durations = (value: string) =>
    peer('p90', { value, condition: `name = 'other_1' AND props LIKE '%"${DURATION}"%'` });
  const prices = (statement: Peer['statement'], value: string) =>
    peer(statement, { value, by: 'app_version', condition: "name = 'step_3'" });
  const dailyRetention = {
    ...{ boundariesUs: dauQuestion(bench).boundariesUs, cohorts: 28, periods: 27 },
  };
  const newSinceUs = bench.startMs * 1_000 + TEN_DAYS_US;
  const isNew = [
    "person_key IN (SELECT person_key FROM {events} WHERE app_id = '{app}'",
    `AND ${CLIENTS} GROUP BY person_key`,
    `HAVING min(occurred_at) >= fromUnixTimestamp64Micro(${newSinceUs}))`,
  ].join(' ');
  const isHome = (value: string) => peer('funnel', { entry: `${value} = 'home7'` });
  return [
    { label: 'funnel', ask: funnel({}), peer: peer('funnel', {}) },
    { label: 'people a day', ask: series({}), peer: peer('series', {}) },
    {
      label: 'funnel by version',
      ask: funnel({ breakdown: { kind: 'appVersion' } }),
      peer: peer('funnel', { value: 'app_version' }),
    },
    {
      label: 'funnel, platform at the entry',
      ask: funnel({ filters: ON_IOS }),
      peer: peer('funnel', { entry: "platform = 'ios'" }),
    },
    {
      label: 'funnel, a property at the entry',
      ask: funnel({ filters: AT_HOME }),
      peer: isHome(fromJson),
      materialized: isHome(SCREEN),
    },
    {
      label: 'people a day of a platform',
      ask: series({ filters: ON_IOS }),
      peer: peer('series', { condition: `${CLIENTS} AND platform = 'ios'` }),
    },
    {
      label: 'people a day by version',
      ask: series({ breakdown: { kind: 'appVersion' } }),
      peer: peer('series', { value: 'app_version' }),
    },
    {
      label: 'one event by a property of 50 values',
      ask: series({ names: ['other_1'], breakdown: { kind: 'prop', prop: SCREEN } }),
      peer: byScreen(fromJson, "name = 'other_1'"),
      materialized: byScreen(SCREEN, "name = 'other_1'"),
    },
    {
      label: 'people a day by a property of 50 values',
      ask: series({ breakdown: { kind: 'prop', prop: SCREEN } }),
      peer: byScreen(fromJson),
      materialized: byScreen(SCREEN),
    },
    {
      label: 'weekly retention of a platform',
      ask: retention({ start: IOS, return: IOS }),
      peer: peer('retention', { condition: "platform = 'ios'" }),
    },
    {
      label: 'p90 of a number of 100 values by day',
      ask: p90('price', 'step_3'),
      peer: peer('p90', { value: numberFromJson('price'), condition: "name = 'step_3'" }),
      materialized: peer('p90', { value: 'price', condition: "name = 'step_3'" }),
    },
    {
      label: 'p90 of a number of 100,000 values by day',
      ask: p90(DURATION, 'other_1'),
      peer: durations(numberFromJson(DURATION)),
      materialized: durations(DURATION),
    },
    {
      label: 'sum of a number by day and version',
      ask: measures({
        names: ['step_3'],
        measure: numberOf('price', 'sum', 'event'),
        breakdown: { kind: 'appVersion' },
      }),
      peer: prices('sum', numberFromJson('price')),
      materialized: prices('sum', 'price'),
    },
    {
      label: "median of a person's sum by day",
      ask: measures({ names: ['step_3'], measure: numberOf('price', 'median', 'person') }),
      peer: prices('sums-of-people', numberFromJson('price')),
      materialized: prices('sums-of-people', 'price'),
    },
    {
      label: 'paths after an event',
      ask: paths(['step_1']),
      peer: peer('paths', { name: 'step_1' }),
    },
    {
      label: 'weekly retention by version',
      ask: retention({ breakdown: { kind: 'appVersion' } }),
      peer: peer('cohorts', { value: 'app_version', interval: 'toMonday', return: CLIENTS }),
    },
    {
      label: 'two events by version',
      ask: series({ names: ['step_1', 'other_1'], breakdown: { kind: 'appVersion' } }),
      peer: peer('series', { value: 'app_version', condition: "name IN ('step_1', 'other_1')" }),
    },
    {
      label: 'daily retention of two events',
      ask: retention({
        ...dailyRetention,
        start: { events: ['step_1'] },
        return: { events: ['other_1'] },
      }),
      peer: peer('cohorts', {
        ...{ interval: 'toDate', condition: "name = 'step_1'", return: "name = 'other_1'" },
      }),
    },
    {
      label: 'funnel of new people only',
      ask: funnel({ newPeopleOnly: true, fromUs: newSinceUs }),
      peer: peer('funnel', { entry: isNew }),
    },
    {
      label: "funnel by the first event's platform",
      ask: funnel({ breakdown: { kind: 'first', of: { kind: 'platform' } } }),
      peer: peer('funnel-first', { value: 'platform' }),
    },
    {
      label: "people a day by the first event's version",
      ask: series({ breakdown: { kind: 'first', of: { kind: 'appVersion' } } }),
      peer: peer('series-first', { value: 'app_version' }),
    },
    { label: 'lifecycle by day', ask: lifecycle({}), peer: peer('lifecycle', {}) },
    {
      label: 'lifecycle by platform',
      ask: lifecycle({ breakdown: { kind: 'platform' } }),
      peer: peer('lifecycle', { value: 'platform' }),
    },
    {
      label: 'funnel of a segment',
      ask: ofSegment,
      peer: peer('funnel', {
        // On one line, since it stands in a comment of the statement too.
        entry: [
          "person_key IN (SELECT person_key FROM {events} WHERE app_id = '{app}'",
          "AND name = 'other_1' GROUP BY person_key HAVING count() >= 2)",
        ].join(' '),
      }),
    },
  ];
}
