import { statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { EVENT_FIELD_IDS_SQL } from '../../../src/event-store/event/columns.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { eraseFromEvents } from '../../../src/event-store/people/erasure-queries.ts';
import type { FunnelQuestion } from '../../../src/query/funnel/model.ts';
import type { QueryKind, QuestionOf } from '../../../src/query/kinds.ts';
import type { Measure } from '../../../src/query/measures/model.ts';
import type { Conditions } from '../../../src/query/selection/conditions.ts';
import type { Dimension } from '../../../src/query/selection/dimension.ts';
import type { Selected } from '../../../src/query/selection/selected.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { append, type TestEventStore } from '../event-store.ts';
import { maintain } from './events.ts';

const ORG = 'org_1';
const NAMES = ['a', 'b', 'c', "d'e", 'ü 😀'];
const PROPS = ['p', 'q', 'x"y', 'é\\', 'n.m', 'many'];
/** Before and behind what users and devices are called by. */
const SPELLINGS = ['', '', '', 'ü', '😀', '\uFFFD', "o'", 'Z'];
const VALUES = [
  ...['1', 1, 1.5, -1e21, 1e-7, 12_345_678_901_234_567_000, true, false, null, 'true', 'other'],
  ...['"', '","p":"1', '\\', 'ü', '', 'unknown', '1e+21', 'null', 0, 0.1, 1e16, 5e-324, 2 ** 63],
  ...['😀', ' 1 ', 'a\nb\u2028c', '{"p":"1"}', 'x,"p":1,', "'"],
];
/** Of whom more than are shown by themselves. */
const MANY = Array.from({ length: 45 }, (_, index) => `value ${index}`);
const EQUALS = ['1', '1.5', '-1e+21', 'true', 'false', '"', '","p":"1', '\\', 'ü', '', '01'];
const PLATFORMS = ['ios', 'android', 'web', 'other', undefined] as const;
const VERSIONS = ['1.0', '1.1', 'unknown', undefined] as const;
const COUNTRIES = ['DE', 'de', 'fr', 'FR', 'Germany', undefined] as const;
/** Well after the epoch, well before today, not at a second. */
const START_US = Date.UTC(2026, 2, 1, 12) * 1_000 + 250_007;

export type Random = {
  int: (below: number) => number;
  of: <T>(list: readonly T[]) => T;
  often: (share: number) => boolean;
};
export const randomOf = (next: () => number): Random => {
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    of: (list) => list[int(list.length)]!,
    often: (share) => next() < share,
  };
};

/** Times close together, so that many events share one. */
export type Scale = { stepUs: number; steps: number };
const SCALES: readonly Scale[] = [
  { stepUs: 1, steps: 14 },
  { stepUs: 1_000, steps: 40 },
  { stepUs: 3_600_000_007, steps: 200 },
];

function isoMicros(us: number): string {
  const ms = new Date(Math.floor(us / 1_000)).toISOString();
  return ms.replace('Z', `${String(us % 1_000).padStart(3, '0')}Z`);
}

const spelled = (index: number) => SPELLINGS[index % SPELLINGS.length] ?? '';
const deviceOf = (who: number) =>
  who % 3 === 1 ? `${spelled(who)}-device-${who}` : `anonymous-${who}`;

/** People with several devices, users spelled like devices, and sign-ups before and after. */
function someEvent(random: Random, { stepUs, steps }: Scale, people: number): StoredEvent {
  const who = random.int(people);
  // Somebody else signs in on the same device now and then.
  const half = Math.floor((random.often(0.05) ? random.int(people) : who) / 2);
  // One user is spelled like a device of theirs.
  const user = who % 5 === 0 ? 'anonymous-5' : `user-${half}${spelled(half)}`;
  const props = Object.fromEntries(
    Array.from({ length: random.int(4) }, () => random.of(PROPS)).map((prop) => [
      prop,
      random.of(prop === 'many' ? MANY : VALUES),
    ]),
  );
  const [platform, appVersion] = [random.of(PLATFORMS), random.of(VERSIONS)];
  const country = random.of(COUNTRIES);
  return {
    name: random.of(NAMES),
    anonymousId: deviceOf(who),
    ...(random.often(0.15) && { userId: user }),
    ts: isoMicros(START_US + random.int(steps) * stepUs),
    ...(platform && { platform }),
    ...(appVersion && { appVersion }),
    ...(country && { country }),
    ...(random.often(0.8) && { props }),
  };
}

export type MadeApp = { appId: string; scale: Scale };

/** What an earlier release wrote, whose files have no environments, with their field ids. */
async function makeOld({ sql, store }: { sql: Sql; store: TestEventStore }): Promise<void> {
  const [file] = await sql<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live' AND level = 0 AND file_id NOT IN (
      SELECT file_id FROM event_file_apps WHERE development_rows > 0) ORDER BY path DESC LIMIT 1`;
  if (!file) return;
  const path = await store.objects.localPath(file.path);
  const ids = EVENT_FIELD_IDS_SQL.replaceAll(/, (person_key|is_anonymous|environment): \d+/g, '');
  await store.connection.run(`COPY (SELECT * EXCLUDE (person_key, is_anonymous, environment)
    REPLACE (lower(country) AS country) FROM '${path}')
    TO '${path}.old' (FORMAT parquet, FIELD_IDS ${ids})`);
  await rename(`${path}.old`, path);
  await sql`
    UPDATE event_files SET format = 1, projection = NULL, projection_format = 0, stats = NULL,
      bytes = ${statSync(path).size} WHERE path = ${file.path}`;
}

/** An app with events in files of every kind, known and late sign-ups, and erased people. */
export async function makeApps(
  sql: Sql,
  store: TestEventStore,
  random: Random,
  { apps, events = 160 }: { apps: number; events?: number },
): Promise<MadeApp[]> {
  const made: MadeApp[] = Array.from({ length: apps }, (_, index) => ({
    appId: newId('app'),
    scale: SCALES[index % SCALES.length]!,
  }));
  for (let round = 0; round < 4; round += 1) {
    const log = await store.openLog();
    for (const { appId, scale } of made) {
      const environment = round === 2 ? 'development' : undefined;
      const list = Array.from({ length: events / 4 }, () => someEvent(random, scale, 24));
      const header = environment ? ({ environment } as const) : {};
      // In batches, so that places in them differ.
      for (let from = 0; from < list.length; from += 7) {
        await append(log, appId, list.slice(from, from + 7), Date.UTC(2026, 3, 1) + from, header);
      }
    }
    await log.close();
    await compactOnce(store.compaction);
    if (round === 1) await maintain(store.compaction, 400);
    if (round === 3) await makeOld({ sql, store });
  }
  for (const { appId } of made) {
    if (random.often(0.5)) continue;
    const scope = { orgId: ORG, appId };
    const person = random.of([
      `user-3${spelled(3)}`,
      deviceOf(10),
      deviceOf(9),
      `user-7${spelled(7)}`,
    ]);
    await sql.begin((tx) => eraseFromEvents(tx, scope, person, []));
  }
  // Some of the erased come back; who erased them knew nothing of these.
  const log = await store.openLog();
  for (const { appId, scale } of made) {
    const list = Array.from({ length: 12 }, () => someEvent(random, scale, 24));
    await append(log, appId, list, Date.UTC(2026, 3, 2));
  }
  await log.close();
  await compactOnce(store.compaction);
  return made;
}

function someFilters(random: Random): FunnelQuestion['filters'] {
  if (random.often(0.7)) return {};
  return {
    ...(random.often(0.4) && { platform: random.of(['ios', 'other']) }),
    ...(random.often(0.4) && { appVersion: random.of(['1.0', 'unknown']) }),
    ...(random.often(0.4) && { country: random.of(['DE', 'FR', 'unknown', 'Germany']) }),
    ...(random.often(0.4) && { property: { prop: random.of(PROPS), equals: random.of(EQUALS) } }),
  };
}

/** Steps of a funnel; now and then such that one event fits several of them. */
function someSteps(random: Random): FunnelQuestion['steps'] {
  const count = random.of([1, 2, 2, 3, 3, 4, 5, 12]);
  const names = NAMES.toSorted(() => random.int(3) - 1);
  const mayRepeat = count > names.length || random.often(0.5);
  return Array.from({ length: count }, (_, index) => ({
    event: mayRepeat ? random.of(NAMES) : names[index]!,
    ...(random.often(0.2) && { where: { prop: random.of(PROPS), equals: random.of(EQUALS) } }),
  }));
}

/** When people begin, and how long they may take, with ends at the times of events. */
export function someWindow(random: Random, { scale: { stepUs, steps } }: Pick<MadeApp, 'scale'>) {
  const fromUs = START_US + random.int(steps / 3) * stepUs;
  const startBeforeUs = fromUs + (1 + random.int(steps)) * stepUs;
  return { fromUs, startBeforeUs, windowUs: random.int(steps) * stepUs };
}

function someRules(random: Random, app: MadeApp) {
  const { appId, scale } = app;
  const { stepUs, steps } = scale;
  const { fromUs, startBeforeUs, windowUs } = someWindow(random, app);
  return {
    ...{ orgId: ORG, appId, steps: someSteps(random), fromUs, startBeforeUs, windowUs },
    ...(random.often(0.2) && { observedBeforeUs: fromUs + random.int(2 * steps) * stepUs }),
    ...(random.often(0.2) && { environment: random.of(['development', 'all'] as const) }),
    ...(random.often(0.2) && { newPeopleOnly: true }),
    ...(random.often(0.2) && { firstStartOnly: true }),
    filters: someFilters(random),
  };
}

/** What each kind that the lake's engine counts is asked. */
const KINDS = [
  ...[
    'funnel',
    'funnel',
    'funnel',
    'funnel-people',
    'summary',
    'series',
    'series',
    'series-people',
  ],
  ...['retention', 'retention', 'retention-people', 'lifecycle', 'lifecycle-people'],
  ...['measures', 'measures', 'measures', 'paths'],
] as const;
type AskedKind =
  | ('funnel' | 'funnel-people' | 'lifecycle' | 'lifecycle-people' | 'measures' | 'paths')
  | ('retention' | 'retention-people' | 'series' | 'series-people' | 'summary');
export type AnyQuestion = {
  [K in AskedKind & QueryKind]: { kind: K; question: QuestionOf<K> };
}[AskedKind & QueryKind];

type Rules = ReturnType<typeof someRules>;

function someDimension(random: Random): Dimension {
  return random.of<Dimension>([
    ...(['platform', 'appVersion', 'country', 'name'] as const).map((each) => ({ kind: each })),
    ...PROPS.map((prop) => ({ kind: 'prop' as const, prop })),
    { kind: 'prop', prop: 'p', bounds: [-1, 1.5, 1e16] },
  ]);
}

function someConditions(random: Random): Conditions {
  const prop = `prop:${random.of(PROPS)}`;
  return {
    [random.of(['all', 'any'] as const)]: [
      random.of([
        { field: prop, op: 'gt' as const, value: 0.5 },
        { field: prop, op: 'isSet' as const },
        { field: prop, op: 'contains' as const, value: 'e' },
        { field: 'appVersion', op: 'lt' as const, value: '1.1' },
        { field: 'country', op: 'isNot' as const, value: 'de' },
      ]),
      { field: 'platform', op: 'isOneOf' as const, values: ['ios', 'web'] },
    ],
  } as Conditions;
}

const someSelected = (random: Random): Selected => ({
  ...(random.often(0.7) && { events: random.of([['a'], ['b', 'c'], ['ü 😀']]) }),
  ...(random.often(0.3) && { where: someConditions(random) }),
});

/** Intervals of which the last are longer, as where clocks change. */
function someBoundaries(random: Random, { stepUs, steps }: Scale, least: number): number[] {
  const step = stepUs * Math.max(1, Math.floor(steps / random.of([4, 12])));
  const count = least + random.int(random.of([3, 60]));
  const fromUs = START_US + (random.int(5) - 2) * step;
  return Array.from({ length: count }, (_, n) => fromUs + n * step + (n > 5 ? stepUs : 0));
}

function someEvents(random: Random) {
  return {
    names: random.of([null, ['a'], ['b', 'c']]),
    filters: someFilters(random),
    ...(random.often(0.3) && { where: someConditions(random) }),
  };
}

const someRanges = (boundaries: readonly number[]): [number, number][] => {
  const count = boundaries.length - 1;
  return [
    [0, count],
    [count >> 1, count],
    [0, 0],
    ...(count > 1 ? [[0, 1] as [number, number]] : []),
  ];
};

const somePage = (random: Random) => ({
  after: random.of([null, null, 'anonymous-12', 'user-2']),
  limit: random.of([1, 5, 1_000]),
});

function someMeasure(random: Random): Measure {
  return random.often(0.5)
    ? {
        ...{ of: 'property', property: random.of(PROPS) },
        statistic: random.of(['sum', 'mean', 'median', 'p90', 'minimum', 'maximum']),
        per: random.of(['event', 'person']),
      }
    : {
        of: random.of([
          ...(['people', 'events', 'eventsPerPerson', 'sessions'] as const),
          ...(['sessionsPerPerson', 'sessionLength'] as const),
        ]),
      };
}

function someRetention(random: Random, app: MadeApp) {
  const boundariesUs = someBoundaries(random, app.scale, 2).slice(0, 62);
  return {
    ...{ boundariesUs, cohorts: 1 + random.int(boundariesUs.length - 1) },
    ...{ cohort: random.of(['first', 'recurring'] as const) },
    criterion: random.of(['on', 'on_or_after'] as const),
    periodUs: random.often(0.5) ? null : app.scale.stepUs * (1 + random.int(5)),
    ...(random.often(0.7) && { start: someSelected(random), return: someSelected(random) }),
  };
}

function someFunnel(random: Random, rules: Rules): FunnelQuestion {
  const lengthUs = rules.startBeforeUs - rules.fromUs;
  const begins = Array.from({ length: random.of([0, 1, 3, 30]) }, () => random.int(lengthUs));
  const trendFromUs = [...new Set([0, ...begins])]
    .toSorted((a, b) => a - b)
    .map((us) => rules.fromUs + us);
  return {
    ...rules,
    breakdown: random.often(0.4) ? someDimension(random) : null,
    trendFromUs: random.often(0.5) ? trendFromUs : null,
  };
}

export function someQuestion(random: Random, app: MadeApp): AnyQuestion {
  const kind = random.of(KINDS) as AskedKind;
  const rules = someRules(random, app);
  const { orgId, appId, fromUs, startBeforeUs: beforeUs, environment } = rules;
  const ofApp = { orgId, appId, ...(environment && { environment }) };
  const breakdown = random.often(0.5) ? someDimension(random) : null;
  switch (kind) {
    case 'funnel':
      return { kind, question: someFunnel(random, rules) };
    case 'funnel-people': {
      const step = 1 + random.int(rules.steps.length);
      const after = random.of([null, 'anonymous-12', 'user-4😀', '\uFFFD-device-13']);
      const page = { step, dropped: random.often(0.4), ...somePage(random), after };
      return { kind, question: { ...rules, ...page } };
    }
    case 'summary':
      return { kind, question: { ...ofApp, fromUs, beforeUs, limit: random.of([1, 3, 100]) } };
    case 'series': {
      const boundariesUs = someBoundaries(random, app.scale, 2);
      const asked = { ...ofApp, boundariesUs, ranges: someRanges(boundariesUs), valuesFrom: 0 };
      if (random.often(0.3)) {
        const selections = [someSelected(random), someSelected(random)];
        const question = { ...asked, names: null, filters: {}, breakdown: null, selections };
        return { kind, question };
      }
      const crossed = breakdown && random.often(0.3) ? { crossed: someDimension(random) } : {};
      return { kind, question: { ...asked, ...someEvents(random), breakdown, ...crossed } };
    }
    case 'series-people': {
      const boundariesUs = someBoundaries(random, app.scale, 2);
      const bucket = random.int(boundariesUs.length - 1);
      const asked = { ...ofApp, boundariesUs, ...someEvents(random), bucket };
      return { kind, question: { ...asked, ...somePage(random) } };
    }
    case 'retention': {
      const question = { ...ofApp, ...someRetention(random, app), periods: 1 + random.int(8) };
      return { kind, question: { ...question, ...(breakdown && { breakdown }) } };
    }
    case 'retention-people': {
      const asked = { ...ofApp, ...someRetention(random, app), ...somePage(random) };
      return { kind, question: { ...asked, cohortIndex: random.int(3), period: random.int(3) } };
    }
    case 'lifecycle': {
      const asked = { ...ofApp, boundariesUs: someBoundaries(random, app.scale, 3) };
      const question = { ...asked, ...someEvents(random), ...(breakdown && { breakdown }) };
      return { kind, question };
    }
    case 'lifecycle-people': {
      const asked = { ...ofApp, boundariesUs: someBoundaries(random, app.scale, 3) };
      const state = random.of(['new', 'returning', 'resurrected', 'dormant'] as const);
      const question = { ...asked, ...someEvents(random), ...somePage(random), state, interval: 1 };
      return { kind, question };
    }
    case 'measures': {
      const boundariesUs = someBoundaries(random, app.scale, 2);
      const asked = { ...ofApp, boundariesUs, ranges: someRanges(boundariesUs) };
      const question = { ...asked, ...someEvents(random), measure: someMeasure(random) };
      return { kind, question: { ...question, ...(breakdown && { breakdown, valuesFrom: 0 }) } };
    }
    case 'paths': {
      const direction = random.of(['after', 'before'] as const);
      const asked = { ...ofApp, ...someEvents(random), fromUs, beforeUs };
      return { kind, question: { ...asked, direction, shown: 1 + random.int(4) } };
    }
  }
}
