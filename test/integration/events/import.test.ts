import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import {
  importEventsFile,
  parseRenames,
  previewEventsFile,
} from '../../../src/modules/events/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { zipOf } from '../../support/zip.ts';

const service = await startTestService(await testDatabase());
const { deps } = service;
const ctx = { deps, requestId: 'test' };
const { orgId } = await createTestOrg(service);
const folder = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const jsonLines = (lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n');

/** As Amplitude exports: a ZIP archive with a gzipped file of JSON lines for each hour. */
const archive = (lines: unknown[]) =>
  zipOf(
    lines.map((line, hour) => ({
      name: `123456/123456_2026-05-03_${hour}#0.json.gz`,
      content: gzipSync(`${JSON.stringify(line)}\n`),
    })),
  );

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** More than an import notes at once. */
const MANY = isFullRun ? 12_000 : 5_500;
/** What the last test wants to find of an app. */
const expected = new Map<string, unknown[][]>();
const manyOf: string[] = [];

/** What is stored of all apps, oldest first: compacted and read once, after every import. */
async function everythingStored(): Promise<Map<string, unknown[][]>> {
  await compactEverything(deps);
  const session = await openAnalystSession(deps, orgId);
  const { rows } = await session.ask(`SELECT app_id, name, person_id, anonymous_id, user_id,
    platform, app_version, country, props, time_flag FROM events ORDER BY occurred_at`);
  await session.close();
  return Map.groupBy(
    rows.map(([, ...row]) => row),
    (_, index) => String(rows[index]?.[0]),
  );
}

describe('an import of events', () => {
  test('takes JSON lines of PostHog, and stitches who they identify', async () => {
    const { appId } = await createTestApp(service, orgId);
    const line = (days: number, event: string, distinct_id: string, properties: object) => ({
      uuid: crypto.randomUUID(),
      event,
      distinct_id,
      timestamp: daysAgo(days).toISOString(),
      properties,
    });
    const device = '0190-device-of-posthog';
    const path = fileOf(
      'posthog.jsonl',
      jsonLines([
        line(399, '$pageview', device, {
          $device_id: device,
          $os: 'iOS',
          $app_version: '1.2',
          $geoip_country_code: 'DE',
          path: '/home',
        }),
        line(3, '$identify', '42', { $anon_distinct_id: device }),
        line(2, 'Purchase Completed', '42', {
          $device_id: device,
          price: 9.99,
          items: ['a'],
          ok: true,
        }),
        line(1, '$set', '42', {}),
        line(500, 'too_long_ago', '42', {}),
      ]),
    );
    const imported = await importEventsFile(ctx, { appId, path });
    expect(imported).toEqual({
      importId: expect.stringMatching(/^imp_/),
      format: 'posthog',
      lines: 5,
      events: 3,
      leftOut: 1,
      refusals: [{ reason: 'ts: older than 400 days', lines: 1, examples: [5] }],
      wasThere: false,
    });
    expected.set(appId, [
      ['screen_viewed', '42', device, null, 'ios', '1.2', 'DE', '{"path":"/home"}', null],
      ['identify', '42', device, '42', null, null, null, '{}', null],
      [
        'purchase_completed',
        '42',
        device,
        '42',
        null,
        null,
        null,
        '{"price":9.99,"items":"[\\"a\\"]","ok":true}',
        null,
      ],
    ]);
  });

  test('takes the raw export of Mixpanel', async () => {
    const { appId } = await createTestApp(service, orgId);
    const at = Math.floor(daysAgo(10).getTime() / 1_000);
    const path = fileOf(
      'mixpanel.json.gz',
      gzipSync(
        jsonLines([
          {
            event: 'App Opened',
            properties: {
              time: at,
              distinct_id: '$device:mixpanel-device',
              $device_id: 'mixpanel-device',
              $insert_id: 'aaaaaaaaaaaa',
              $os: 'Android',
              mp_country_code: 'US',
            },
          },
          {
            event: 'sign up',
            properties: {
              time: at + 60,
              distinct_id: 'user-9',
              $user_id: 'user-9',
              $device_id: 'mixpanel-device',
              $insert_id: 'bbbbbbbbbbbb',
              plan: 'yearly',
            },
          },
          {
            event: '???',
            properties: { time: at, distinct_id: 'somebody', $insert_id: 'cccccccccccc' },
          },
        ]),
      ),
    );
    const { format, events, refusals } = await importEventsFile(ctx, { appId, path });
    expect([format, events]).toEqual(['mixpanel', 2]);
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatchObject({ lines: 1, examples: [3] });
    expect(refusals[0]?.reason).toStartWith('name: must be');
    expected.set(appId, [
      ['app_opened', 'user-9', 'mixpanel-device', null, 'android', null, 'US', '{}', null],
      [
        'sign_up',
        'user-9',
        'mixpanel-device',
        'user-9',
        null,
        null,
        null,
        '{"plan":"yearly"}',
        null,
      ],
    ]);
  });

  test('takes the archive that Amplitude exports, whose times have no zone', async () => {
    const { appId } = await createTestApp(service, orgId);
    const time = daysAgo(30).toISOString().replace('T', ' ').replace('Z', '000');
    const path = fileOf(
      'export.zip',
      archive([
        {
          $insert_id: 'dddddddddddd',
          event_type: 'Paywall Viewed',
          event_time: time,
          user_id: null,
          device_id: 'amplitude-device',
          session_id: 1_700_000_000_000,
          platform: 'iOS',
          version_name: '3.0',
          country: 'Germany',
          event_properties: { variant: 'b' },
        },
        { event_type: '$identify', event_time: time, device_id: 'amplitude-device' },
      ]),
    );
    expect(await importEventsFile(ctx, { appId, path })).toMatchObject({
      format: 'amplitude',
      events: 1,
      leftOut: 1,
      refusals: [],
    });
    expected.set(appId, [
      [
        'paywall_viewed',
        'amplitude-device',
        'amplitude-device',
        null,
        'ios',
        '3.0',
        'DE',
        '{"variant":"b"}',
        null,
      ],
    ]);
  });

  test('adds nothing when it runs again, goes on where it was interrupted, and counts what is no event', async () => {
    const { appId } = await createTestApp(service, orgId);
    const lines = Array.from({ length: MANY }, (_, index) => ({
      $insert_id: `insert-${index}`,
      event_type: 'opened',
      event_time: daysAgo(20 - index / 1_000).toISOString(),
      device_id: `device-${index % 50}-of-many`,
    }));
    const text = `${jsonLines(lines)}\nno json\n\n`;
    const path = fileOf('many.json', text);
    const interrupt = new AbortController();
    const report = () => interrupt.abort();
    await expect(
      importEventsFile(ctx, { appId, path, report, signal: interrupt.signal }),
    ).rejects.toThrow();
    const rest = await importEventsFile(ctx, { appId, path });
    expect(rest).toMatchObject({ lines: MANY + 1, events: MANY, wasThere: false });
    expect(rest.refusals).toEqual([{ reason: 'it is no JSON', lines: 1, examples: [MANY + 1] }]);
    expect(await importEventsFile(ctx, { appId, path })).toMatchObject({
      events: MANY,
      wasThere: true,
    });
    // The same events in a file of other content are known by their ids.
    await importEventsFile(ctx, { appId, path: fileOf('again.json', `\n${text}`) });
    manyOf.push(appId);
  });

  test('refuses lines that are not UTF-8 one by one, and makes no id of them', async () => {
    const { appId } = await createTestApp(service, orgId);
    const line = (id: string, device: string) =>
      JSON.stringify({ id, name: 'opened', ts: daysAgo(2).toISOString(), anonymousId: device });
    const broken = Buffer.from(line('utf-8-000002', 'device-caf\u00e9-0002'), 'latin1');
    const content = Buffer.concat([
      Buffer.from(`${line('utf-8-000001', 'device-café-0001')}\n`),
      broken,
      Buffer.from(`\n${line('utf-8-000003', 'device-caf\uFFFD-0003')}\n`),
    ]);
    const imported = await importEventsFile(ctx, { appId, path: fileOf('broken.json', content) });
    expect(imported.refusals).toEqual([{ reason: 'it is not UTF-8', lines: 1, examples: [2] }]);
    const ids = ['device-café-0001', 'device-caf\uFFFD-0003'];
    expected.set(
      appId,
      ids.map((id) => ['opened', id, id, null, null, null, null, null, null]),
    );
    const path = fileOf('broken-first.json', Buffer.concat([broken, content]));
    await expect(importEventsFile(ctx, { appId, path })).rejects.toThrow(
      'The first line of the file cannot be read: it is not UTF-8',
    );
    const named = await importEventsFile(ctx, { appId, path, format: 'own' });
    expect(named.refusals).toEqual([{ reason: 'it is not UTF-8', lines: 2, examples: [1, 2] }]);
  });

  test('stores what it took, each event once', async () => {
    const stored = await everythingStored();
    for (const [appId, rows] of expected) expect(stored.get(appId)).toEqual(rows);
    for (const appId of manyOf) expect(stored.get(appId)).toHaveLength(MANY);
    expect(expected.size).toBe(4);
    // They are none that the day's limit counts.
    const counted = await deps.sql`SELECT 1 FROM event_ingestion_hours WHERE org_id = ${orgId}`;
    expect(counted).toHaveLength(0);
  });

  test('by a wrong format, or of no event, uses nothing up', async () => {
    const { appId } = await createTestApp(service, orgId);
    const event_time = daysAgo(3).toISOString();
    const line = { event_type: 'Opened', event_time, device_id: 'device-wrong-format' };
    const lines = Array.from({ length: 5_001 }, (_, index) => ({
      ...line,
      $insert_id: `id-${index}`,
    }));
    const path = fileOf('wrong-format.json', jsonLines(lines));
    for (const format of ['mixpanel', 'posthog', 'own'] as const) {
      await expect(importEventsFile(ctx, { appId, path, format })).rejects.toThrow(
        `No event could be read as ${format} from 5001 lines`,
      );
    }
    expect(await importEventsFile(ctx, { appId, path })).toMatchObject({
      ...{ format: 'amplitude', events: 5_001, wasThere: false },
    });
  });

  test('shows names in other scripts and refused ones, so that they are renamed, and countries', async () => {
    const { appId } = await createTestApp(service, orgId);
    const line = (event_type: string, country: string) => ({
      ...{ event_type, country, event_time: daysAgo(3).toISOString() },
      device_id: `device-of-${country}`,
    });
    const path = fileOf(
      'names.json',
      jsonLines(
        ['購入完了', '購入完了', '!!']
          .map((name) => line(name, 'Japan'))
          .concat([line('Opened', 'Utopia')]),
      ),
    );
    const shown = await previewEventsFile(ctx, { appId, path });
    expect(shown.names).toEqual([
      { name: expect.stringMatching(/^event_[0-9a-f]{8}$/), sentName: '購入完了', events: 2 },
      { name: null, sentName: '!!', events: 1 },
      { name: 'opened', sentName: 'Opened', events: 1 },
    ]);
    const renames = parseRenames(['購入完了=purchase_completed', '!!=alarm']);
    const { countries, refusals } = await previewEventsFile(ctx, { appId, path, renames });
    expect(refusals).toEqual([]);
    expect(countries).toEqual([
      { country: 'JP', people: 1 },
      { country: null, people: 1 },
    ]);
  });

  test('refuses a time zone where times name an instant', async () => {
    const { appId } = await createTestApp(service, orgId);
    const path = fileOf('zone.json', '{"event_type":"a","event_time":"2026-11-22"}');
    await expect(importEventsFile(ctx, { appId, path, timeZone: 'Europe/Berlin' })).rejects.toThrow(
      '--time-zone: the times of amplitude',
    );
  });

  test('refuses what it cannot read', async () => {
    const { appId } = await createTestApp(service, orgId);
    const refused = (path: string, id = appId) => importEventsFile(ctx, { appId: id, path });
    await expect(refused(fileOf('a.zip', new Uint8Array([0x50, 0x4b, 3, 4])))).rejects.toThrow(
      'cannot be unpacked',
    );
    await expect(refused(fileOf('b.json', '{"a": 1, "b": 2}'))).rejects.toThrow(
      'is not recognised. Its first line has a, b',
    );
    await expect(refused(folder)).rejects.toThrow('is a folder');
    await expect(refused(fileOf('c.json', ''))).rejects.toThrow('holds no line');
    await expect(refused(fileOf('d.json', '{}'), 'app_nobody')).rejects.toThrow('There is no app');
  });
});
