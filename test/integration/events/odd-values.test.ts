import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { parse as parseCsv } from 'csv-parse/sync';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { serveSql } from '../../../src/sql/sandbox/serve.ts';
import { HotEvents } from '../../../src/event-store/read.ts';
import { createApp } from '../../../src/app/routes.ts';
import { importEventsFile } from '../../../src/modules/events/index.ts';
import { startAnswers } from '../../support/answers.ts';
import { textList } from '../../../src/storage/duckdb-literal.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { currentFiles, readTable } from '../../support/lake/read-table.ts';
import { quietLog } from '../../support/events.ts';
import { basic, intakeOf } from '../../support/intake.ts';
import { compactEverything } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { type Answer, createTestKey } from '../../support/service.ts';

/*
 * The table of docs/events.md, walked: random events of its values on every way in are what plain
 * loops over the table say, to every reader, from the log and from files.
 */
const EVENTS_A_DOOR = isFullRun ? 1_000 : 10;
const NOW = Date.parse('2026-03-12T15:00:00Z');
const YESTERDAY = { from: '2026-03-11', to: '2026-03-11', timezone: 'UTC' };
const random = randomFrom(Number(process.env.SEED ?? 7));
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

type Value = string | number | null;
type Row = { literal: string; own: string; others: string; says: Value };

const [, table = ''] = readFileSync('docs/events.md', 'utf8').split(
  '## Values that programs treat differently\n',
);
const ROWS: Row[] = (table.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, sent = '', own = '', others = '', says = ''] = line.split(/\s*\|\s*/);
    const code = (text: string) => /`([^`]*)`/.exec(text)?.[1] ?? '';
    const read = code(says) === '' ? null : JSON.parse(code(says));
    return { literal: code(sent), own, others, says: read };
  });

const NAMES = [
  '__proto__',
  'k'.repeat(500),
  'n\u0000',
  'half\ud83d',
  'ä"b',
  '',
  'constructor',
  'a,b',
];

const { service, call, deps, org, app } = await startAnswers(NOW);
const send = intakeOf(service);
const sqlServer = serveSql({ ...deps, hot: new HotEvents(deps, deps.config.events.logDir) }, 0);
const listener = createApp(deps, {
  isReady: () => true,
  isHeld: () => false,
  stop: () => undefined,
});
const sqlKey = await createTestKey(service, org, ['sql:ask']);
const folder = mkdtempSync(join(tmpdir(), 'odd-values-'));
afterAll(async () => {
  await sqlServer.stop();
  rmSync(folder, { recursive: true });
});

type Sent = { device: string; atMs: number; literal: string; name: string; says: Value };
const isoOf = ({ atMs }: Sent) => new Date(atMs).toISOString();
const propsOf = ({ literal, name }: Sent) => `{"v":${literal},${JSON.stringify(name)}:1}`;
const quoted = JSON.stringify;

const ownEvent = (sent: Sent) =>
  `{"name":"odd","anonymousId":"${sent.device}","ts":"${isoOf(sent)}","props":${propsOf(sent)}}`;
const posthogEvent = (sent: Sent) =>
  `{"event":"odd","distinct_id":"${sent.device}","timestamp":"${isoOf(sent)}","properties":${propsOf(sent)}}`;

function firebaseValue(literal: string): string {
  if (literal === 'null') return '{}';
  if (literal.startsWith('"')) return `{"string_value":${literal}}`;
  return /^-?\d+$/.test(literal) ? `{"int_value":"${literal}"}` : `{"double_value":${literal}}`;
}

type Door = { isOwn: boolean; take: (events: readonly Sent[]) => Promise<unknown> };

async function posted(path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await send(path, body, { 'content-type': 'application/json', ...headers });
  expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined]);
}

let files = 0;
const importing =
  (
    format: 'amplitude' | 'firebase' | 'mixpanel' | 'own' | 'posthog',
    lineOf: (sent: Sent) => string,
    header = '',
  ) =>
  async (events: readonly Sent[]) => {
    files += 1;
    const path = join(folder, `import-${files}`);
    writeFileSync(path, header + events.map(lineOf).join('\n'));
    const imported = await importEventsFile(
      { deps, requestId: 'test' },
      { appId: app.appId, path, format },
    );
    expect(imported).toMatchObject({ events: events.length, refusals: [] });
  };

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const DOORS: Record<string, Door> = {
  own: {
    isOwn: true,
    take: async (events) => {
      for (let start = 0; start < events.length; start += 20) {
        const some = events
          .slice(start, start + 20)
          .map(ownEvent)
          .join(',');
        const answer = await call('/v1/events', {
          rawBody: `{"events":[${some}]}`,
          headers: app.device,
        });
        expect([answer.status, answer.body.error]).toEqual([202, undefined]);
      }
    },
  },
  segment: {
    isOwn: false,
    take: (events) => {
      const batch = events.map(
        (sent) =>
          `{"type":"track","event":"odd","anonymousId":"${sent.device}","timestamp":"${isoOf(sent)}","properties":${propsOf(sent)}}`,
      );
      return posted(
        '/v1/segment/v1/batch',
        `{"batch":[${batch.join(',')}]}`,
        basic(app.serviceKey),
      );
    },
  },
  posthog: {
    isOwn: false,
    take: (events) =>
      posted(
        '/v1/posthog/batch',
        `{"api_key":"${app.serviceKey}","batch":[${events.map(posthogEvent).join(',')}]}`,
      ),
  },
  amplitude: {
    isOwn: false,
    take: (events) => {
      const all = events.map(
        (sent) =>
          `{"event_type":"odd","device_id":"${sent.device}","time":${sent.atMs},"event_properties":${propsOf(sent)}}`,
      );
      return posted(
        '/v1/amplitude/2/httpapi',
        `{"api_key":"${app.serviceKey}","events":[${all.join(',')}]}`,
      );
    },
  },
  'import of own lines': { isOwn: true, take: importing('own', ownEvent) },
  'import of posthog': {
    isOwn: false,
    take: importing(
      'posthog',
      (sent) => `{"uuid":"uuid-${sent.device}",${posthogEvent(sent).slice(1)}`,
    ),
  },
  'import of posthog, CSV': {
    isOwn: false,
    take: importing(
      'posthog',
      (sent) =>
        [`uuid-${sent.device}`, 'odd', sent.device, isoOf(sent), cell(propsOf(sent))].join(','),
      'uuid,event,distinct_id,timestamp,properties\n',
    ),
  },
  'import of mixpanel': {
    isOwn: false,
    take: importing(
      'mixpanel',
      (sent) =>
        `{"event":"odd","properties":{"$insert_id":"id-${sent.device}","$device_id":"${sent.device}","time":${sent.atMs / 1_000},${propsOf(sent).slice(1)}}`,
    ),
  },
  'import of amplitude': {
    isOwn: false,
    take: importing(
      'amplitude',
      (sent) =>
        `{"event_type":"odd","$insert_id":"id-${sent.device}","device_id":"${sent.device}","event_time":"${isoOf(sent)}","event_properties":${propsOf(sent)}}`,
    ),
  },
  'import of firebase': {
    isOwn: false,
    take: importing(
      'firebase',
      (sent) =>
        `{"event_name":"odd","user_pseudo_id":"${sent.device}","event_timestamp":"${sent.atMs}000","event_params":[{"key":"v","value":${firebaseValue(sent.literal)}},{"key":${quoted(sent.name)},"value":{"int_value":"1"}}]}`,
    ),
  },
};

const isStored = (row: Row, { isOwn }: Door) => (isOwn ? row.own : row.others) === 'stored';
let made = 0;
function randomEvent(door: Door): Sent {
  made += 1;
  const { literal, says } = pick(ROWS.filter((row) => isStored(row, door)));
  const atMs = NOW - 86_400_000 + made * 100;
  return {
    device: `device-${String(made).padStart(6, '0')}`,
    atMs,
    literal,
    says,
    name: pick(NAMES),
  };
}

const all: Sent[] = [];
for (const door of Object.values(DOORS)) {
  const events = Array.from({ length: EVENTS_A_DOOR }, () => randomEvent(door));
  for (let start = 0; start < events.length; start += 100) {
    await door.take(events.slice(start, start + 100));
  }
  all.push(...events);
}

/** What is read, by loops over what was sent. */
const textOf = (says: Value) => (says === null ? null : String(says));
type Member = [string, Value];
const byName = ([a]: Member, [b]: Member) => (a < b ? -1 : 1);
function propsRead({ says, name }: Sent): Member[] {
  const members: Member[] = [
    ['v', says],
    [name.toWellFormed(), 1],
  ];
  return members.toSorted(byName);
}
const asRead = (props: object): Member[] => Object.entries(props).toSorted(byName);
function countBy(keyOf: (sent: Sent) => unknown): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const sent of all) counts.set(keyOf(sent), (counts.get(keyOf(sent)) ?? 0) + 1);
  return counts;
}
const byDevice = new Map(all.map((sent) => [sent.device, sent]));
const expectedOf = (device: string) => propsRead(byDevice.get(device) as Sent);

async function sql(text: string, accept = 'application/json') {
  const answer = await listener.handle(
    new Request('http://localhost:3000/v1/sql', {
      method: 'POST',
      headers: { ...sqlKey, 'content-type': 'application/json', accept },
      body: JSON.stringify({ sql: text }),
    }),
  );
  expect(answer.status).toBe(200);
  return answer;
}
const FROM = `FROM events WHERE app_id = '${app.appId}' ORDER BY anonymous_id`;
const PARTS = Array.from(
  { length: Math.ceil(all.length / 2_000) },
  (_, part) => `LIMIT 2000 OFFSET ${part * 2_000}`,
);

async function sqlRows(columns: string): Promise<any[][]> {
  const rows: any[][] = [];
  for (const part of PARTS) {
    rows.push(...((await (await sql(`SELECT ${columns} ${FROM} ${part}`)).json()) as any).rows);
  }
  return rows;
}

const get = async (tail: string): Promise<any> => {
  const { status, body } = await call(`/v1/apps/${app.appId}${tail}`, { headers: org.key });
  expect([tail, status, body.error]).toEqual([tail, 200, undefined]);
  return body;
};
const ask = (question: object): Promise<Answer> =>
  call(`/v1/apps/${app.appId}/questions/answer`, {
    body: { ...question, ...YESTERDAY },
    headers: org.key,
  });
const answered = async (question: object): Promise<any> => {
  const { status, body } = await ask(question);
  expect([question, status, body.error]).toEqual([question, 200, undefined]);
  return body;
};
const BREAKDOWNS = ['prop:v', 'prop:__proto__', 'prop:half\ufffd'];
const ODD = { events: ['odd'] };

test('the table has its values', () => expect(ROWS.length).toBeGreaterThan(15));

const PLACES: [string, () => Promise<void>][] = [
  ['in the log', async () => undefined],
  ['in files', () => compactEverything(deps)],
];

describe.each(PLACES)('%s', (where, store) => {
  test('every event is there, with its properties, in SQL as JSON, CSV and Arrow', async () => {
    await store();
    const rows = await sqlRows("anonymous_id, props, props->>'v'");
    expect(rows.map(([device]) => device)).toEqual(all.map(({ device }) => device).toSorted());
    for (const [device, props, text] of rows) {
      expect([device, asRead(JSON.parse(props))]).toEqual([device, expectedOf(device)]);
      expect([device, text]).toEqual([device, textOf(byDevice.get(device)?.says ?? null)]);
    }
    if (where === 'in the log' && !isFullRun) return;
    const columns = `SELECT anonymous_id, props->>'v' AS v ${FROM} ${PARTS[0]}`;
    const csv = await (await sql(columns, 'text/csv')).text();
    const cells = parseCsv(csv, { from_line: 2, relax_quotes: false }) as string[][];
    const arrow = tableFromIPC(
      new Uint8Array(
        await (await sql(columns, 'application/vnd.apache.arrow.stream')).arrayBuffer(),
      ),
    );
    expect([cells.length, arrow.numRows]).toEqual(
      [rows.length, rows.length].map((count) => Math.min(count, 2_000)),
    );
    for (const [index, [device = '', text]] of cells.entries()) {
      const wanted = textOf(byDevice.get(device)?.says ?? null);
      expect([device, text?.replace(/^'(?=[=+@-])/, '')]).toEqual([device, wanted ?? '']);
      const row = arrow.get(index);
      expect([row?.anonymous_id, row?.v]).toEqual([device, wanted]);
    }
  });

  test('recent events, exports of people and the inventory say the same', async () => {
    const recent = await get('/events/recent');
    expect(recent).not.toBeEmpty();
    for (const { anonymousId, props } of recent) {
      expect([anonymousId, asRead(props)]).toEqual([anonymousId, expectedOf(anonymousId)]);
    }
    for (const { device } of Array.from({ length: 10 }, () => pick(all))) {
      const { events } = await get(`/person?personId=${device}`);
      expect(events.map(({ props }: any) => asRead(props))).toEqual([expectedOf(device)]);
    }
    const { properties } = await get('/events/properties?name=odd');
    const names = countBy(({ name }) => name.toWellFormed());
    names.set('v', all.length);
    expect(new Map(properties.map(({ name, events }: any) => [name, events]))).toEqual(names);
    const values = countBy(({ says }) => String(says));
    for (const { value, events } of properties.find(({ name }: any) => name === 'v').values) {
      expect([value, events]).toEqual([value, values.get(value) ?? 0]);
    }
  });

  test('questions count them by value, by condition and in sums', async () => {
    const counts = countBy(({ says }) => says);
    for (const [says, count] of counts) {
      if (says === null) continue;
      const where = { all: [{ field: 'prop:v', op: 'is', value: says }] };
      const { status, body } = await ask({
        kind: 'series',
        series: [{ ...ODD, where }],
        compare: false,
      });
      if (String(says).includes('\u0000')) expect([says, status]).toEqual([says, 400]);
      else expect([says, body.totals?.events]).toEqual([says, count]);
    }
    const measure = { of: 'property', property: 'v', statistic: 'sum', per: 'event' };
    const sum = all.reduce((total, { says }) => total + (typeof says === 'number' ? says : 0), 0);
    const measured = await answered({ kind: 'measures', selection: ODD, measure, compare: false });
    expect(Math.abs(measured.totals.value / sum - 1)).toBeLessThan(1e-12);
    const texts = countBy(({ says }) => textOf(says));
    const byValue = await answered({
      kind: 'series',
      series: [ODD],
      breakdown: 'prop:v',
      compare: false,
    });
    expect(byValue.series).not.toBeEmpty();
    for (const { key, totals } of byValue.series) {
      if (texts.has(key)) expect([key, totals.events]).toEqual([key, texts.get(key)]);
    }
    for (const question of [
      { kind: 'funnel', steps: [ODD, { events: ['closed'] }] },
      { kind: 'retention', interval: 'day', cohort: 'recurring', start: ODD },
      { kind: 'lifecycle', interval: 'day', selection: ODD },
      { kind: 'measures', selection: ODD, measure: { of: 'people' }, compare: false },
    ]) {
      for (const breakdown of isFullRun ? BREAKDOWNS : [pick(BREAKDOWNS)]) {
        await answered({ ...question, breakdown });
      }
    }
  });
});

/** Read by DuckDB alone. */
async function checkParquet(paths: readonly string[]): Promise<void> {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  const rows = (
    await connection.runAndReadAll(
      `SELECT anonymous_id, props FROM read_parquet([${textList(paths)}]) WHERE name = 'odd' ORDER BY anonymous_id`,
    )
  ).getRows();
  connection.closeSync();
  duck.closeSync();
  expect(rows.length).toBe(all.length);
  for (const [device, props] of rows) {
    expect([device, asRead(JSON.parse(String(props)))]).toEqual([
      device,
      expectedOf(String(device)),
    ]);
  }
}

test('the Parquet of the analyst has them', async () => {
  const session = await openAnalystSession(deps, org.orgId, folder);
  await session.writeFiles();
  await session.close();
  await checkParquet([join(folder, 'events.parquet')]);
});

test('the files of the published lake have them', async () => {
  const { sql, objects } = deps;
  const dir = join(service.dataDir, 'events');
  await lakeOf(sql, { dir: folder, objects, log: quietLog() }, `file://${dir}`).publish();
  const table = await readTable(sql, { objects, base: `file://${dir}` }, 'events');
  const files = currentFiles(table);
  await checkParquet(await Promise.all(files.map(({ path }) => objects.localPath(path))));
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  expect(rows).toBe(all.length);
});

const TIMES = {
  '0000-01-01T00:00:00Z': 'too_old',
  '1677-09-20T00:00:00.123Z': 'too_old',
  '2025-01-01T00:00:00Z': 'too_old',
  '9999-12-31T23:59:59Z': 'shifted',
} as const;

test('times that no clock has are those of receipt, on every way in', async () => {
  const times = Object.keys(TIMES);
  const ofDoor = (door: string) => times.map((ts, index) => ({ id: `${door}-time-${index}`, ts }));
  const who = (id: string) => `device-of-${id}`;
  for (const { id, ts } of ofDoor('own')) {
    const event = { name: 'timed', anonymousId: who(id), ts };
    const answer = await call('/v1/events', { body: { events: [event] }, headers: app.device });
    expect(answer.status).toBe(202);
  }
  for (const { id, ts: timestamp } of ofDoor('segment')) {
    const message = { type: 'track', event: 'timed', anonymousId: who(id), timestamp };
    await posted('/v1/segment/v1/batch', quoted({ batch: [message] }), basic(app.serviceKey));
  }
  for (const { id, ts: timestamp } of ofDoor('posthog')) {
    const message = { event: 'timed', distinct_id: who(id), timestamp, api_key: app.serviceKey };
    await posted('/v1/posthog/capture', quoted(message));
  }
  for (const { id, ts } of ofDoor('amplitude')) {
    const event = { event_type: 'timed', device_id: who(id), time: Date.parse(ts) };
    await posted('/v1/amplitude/batch', quoted({ api_key: app.serviceKey, events: [event] }));
  }
  const text = "SELECT client_ts, time_flag, occurred_at FROM events WHERE name = 'timed'";
  const { rows }: any = await (await sql(text)).json();
  expect(rows).toHaveLength(4 * times.length);
  for (const [sent, flag, at] of rows) {
    const [, wanted] =
      Object.entries(TIMES).find(([ts]) => Date.parse(ts) === Date.parse(sent)) ?? [];
    expect([sent, flag, Date.parse(at)]).toEqual([sent, wanted ?? 'unknown', NOW]);
  }
});

test.each(['anonymousId', 'userId', 'sessionId', 'id'])(
  'an %s with a NUL or half a pair is refused',
  async (field) => {
    for (const wrong of ['device-\u0000-0001', 'device-\ud83d-0001']) {
      const event = { name: 'odd', anonymousId: 'device-0001', [field]: wrong };
      const { status, body } = await call('/v1/events', {
        body: { events: [event] },
        headers: app.device,
      });
      expect([status, body.error.hint]).toEqual([
        400,
        expect.stringContaining(`events[0].${field}: `),
      ]);
    }
  },
);

test.each(ROWS.filter(({ own }) => own !== 'stored'))(
  '$literal is refused by the own format',
  async ({ literal, own }) => {
    const sent = { ...randomEvent(DOORS.segment as Door), literal };
    const { status, body } = await call('/v1/events', {
      rawBody: `{"events":[${ownEvent(sent)}]}`,
      headers: app.device,
    });
    expect([status, body.error.code]).toEqual([
      400,
      own === 'refused' ? 'invalid_batch' : 'malformed_json',
    ]);
    if (own === 'refused') expect(body.error.hint).toStartWith('events[0].props.v: ');
  },
);
