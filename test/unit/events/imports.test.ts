import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRecord, recognise, toImported } from '../../../src/modules/events/imports/formats.ts';
import {
  type ExportedRecord,
  LINE_MAX_CHARACTERS,
  readRecords,
} from '../../../src/modules/events/imports/records.ts';
import { parseRenames } from '../../../src/modules/events/imports/renames.ts';
import { isFullRun } from '../../support/random.ts';
import { zipOf } from '../../support/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

async function read(content: string | Uint8Array): Promise<ExportedRecord[]> {
  files += 1;
  const path = join(folder, `export-${files}`);
  writeFileSync(path, content);
  return Array.fromAsync(readRecords(path));
}
const bytes = (text: string) => new TextEncoder().encode(text);
/** "é" as Latin-1 has it, before a letter. */
const BROKEN = new Uint8Array([0xe9, 0x73]);
const LINES = '{"event":"a"}\n{"event":"ü🎉"}\r\n\n{"event":"c"}';
const READ = ['{"event":"a"}', '{"event":"ü🎉"}\r', '', '{"event":"c"}'];

describe('the records of an export', () => {
  test('are the same plain, gzipped, in an archive, and gzipped in one', async () => {
    expect(await read(LINES)).toEqual(READ);
    expect(await read(gzipSync(LINES))).toEqual(READ);
    const entries = [
      { name: 'export/', content: bytes('') },
      { name: '__MACOSX/export/._1.json', content: bytes('\u0000\u0005') },
      { name: 'export/.DS_Store', content: bytes('x') },
      { name: 'export/1_2026-01-01_0#0.json.gz', content: gzipSync(LINES) },
      { name: 'export/1_2026-01-01_1#0.json', content: bytes(LINES) },
      { name: 'export/empty.json', content: bytes('') },
    ];
    expect(await read(zipOf(entries))).toEqual([...READ, ...READ]);
  });

  test('are whole wherever the pieces of the file end', async () => {
    const unit = fc.constantFrom('a', 'ü', '🎉', '\n', '\r', '"', '\\', '\u2028');
    const line = fc.string({ unit, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (some) => {
        const lines = some.map((text) => JSON.stringify({ text }));
        const text = lines.join('\n');
        expect(await read(gzipSync(text, { chunkSize: 64 }))).toEqual(lines);
      }),
      { numRuns: isFullRun ? 100 : 8 },
    );
  });

  test('of a line without end is its beginning', async () => {
    const long = `{"event":"${'x'.repeat(3 * LINE_MAX_CHARACTERS)}"}\n{"event":"a"}`;
    const [first, second] = await read(gzipSync(`{"a":1}\n${long}`)).then(([, ...rest]) => rest);
    expect(first).toHaveLength(LINE_MAX_CHARACTERS + 1);
    expect(second).toBe('{"event":"a"}');
    const [cut] = await read(`{"event":"${'ü'.repeat(LINE_MAX_CHARACTERS)}"}`);
    expect(cut).toHaveLength(LINE_MAX_CHARACTERS + 1);
  });

  test('of a line that is not UTF-8 are none, and the other lines are read', async () => {
    const broken = Buffer.concat([bytes('{"event":"a","distinct_id":"caf'), BROKEN, bytes('"}')]);
    const lines = Buffer.concat([bytes('{"event":"\uFFFD"}\n'), broken, bytes('\n{"event":"ü"}')]);
    const [first, second = '', third] = await read(lines);
    expect([first, third]).toEqual(['{"event":"\uFFFD"}', '{"event":"ü"}']);
    expect(() => readRecord(second)).toThrow('it is not UTF-8');
  });

  test('of a table that is not UTF-8 are refused with the file and the line', async () => {
    const table = (at: number, row: Uint8Array) =>
      Buffer.concat([bytes(`uuid,event,distinct_id\n${'1,a,ü🎉\n'.repeat(at - 2)}1,a,caf`), row]);
    for (const [at, row] of [
      [2, BROKEN],
      [3, Buffer.concat([BROKEN, bytes('\n1,a,b\n')])],
      [40, BROKEN.subarray(0, 1)],
    ] as const) {
      const refused = `a.csv, line ${at}: it is not UTF-8`;
      const content = gzipSync(table(at, row), { chunkSize: 64 });
      await expect(read(zipOf([{ name: 'a.csv', content }]))).rejects.toThrow(refused);
    }
    const whole = table(40, bytes('\uFFFDé\n'));
    expect((await read(gzipSync(whole, { chunkSize: 64 }))).at(-1)).toMatchObject({
      distinct_id: 'caf\uFFFDé',
    });
  });

  test('of what unpacks to far more than its size are refused, in every layer', async () => {
    const nothing = Buffer.alloc(28 * 1024 * 1024, ' ');
    const bomb = gzipSync(nothing);
    await expect(read(bomb)).rejects.toThrow('unpacks to over 200 times its size');
    const inArchive = zipOf([{ name: 'a.json.gz', content: bomb }]);
    await expect(read(inArchive)).rejects.toThrow('unpacks to over 200 times its size');
    const archive = zipOf([{ name: 'b.json', content: bytes(LINES) }]);
    await expect(read(zipOf([{ name: 'a.zip', content: archive }]))).rejects.toThrow(
      'another ZIP archive',
    );
  });

  test('of a damaged archive are refused with a reason', async () => {
    const archive = zipOf([{ name: 'a.json', content: bytes(LINES) }]);
    await expect(read(archive.slice(0, -10))).rejects.toThrow('cannot be unpacked');
    await expect(read(gzipSync(LINES).slice(0, -12))).rejects.toThrow('cannot be unpacked');
    // An entry that says less than it holds.
    const lying = Buffer.from(archive);
    lying.writeUInt32LE(3, lying.indexOf('PK\u0001\u0002') + 24);
    await expect(read(lying)).rejects.toThrow('cannot be unpacked');
  });
});

describe('CSV of PostHog', () => {
  const imported = async (text: string) => {
    const records = await read(text);
    const fields = records.map((record) => readRecord(record));
    expect(fields.map(recognise)).toEqual(fields.map(() => 'posthog' as const));
    return fields.flatMap((each) => toImported('posthog', each));
  };

  test('from the explorer has the event beside the columns of the table', async () => {
    const [first, second] = await imported(
      [
        '\uFEFF*.distinct_id,*.elements_chain,*.event,*.properties.$device_id,*.properties.$os,*.properties.items.0,*.properties.ok,*.properties.plan,*.properties.price,*.timestamp,*.uuid,event,person.display_name,timestamp',
        '42,,Purchase Completed,0190-device-of-posthog,iOS,a,True,"year, ""family""\nnew",9.99,2026-05-03T08:12:30.123000+00:00,0190aaaa-0000-7000-8000-000000000001,shown name,Ann,shown time',
        '0190-device-of-posthog,,$pageview,0190-device-of-posthog,iOS,,,,,2026-05-03T08:12:31.123000+00:00,0190aaaa-0000-7000-8000-000000000002,,,',
      ].join('\r\n'),
    );
    expect(first).toEqual({
      event: {
        id: '0190aaaa-0000-7000-8000-000000000001',
        name: 'purchase_completed',
        ts: '2026-05-03T08:12:30.123000+00:00',
        anonymousId: '0190-device-of-posthog',
        userId: '42',
        props: { 'items.0': 'a', ok: true, plan: 'year, "family"\nnew', price: 9.99 },
      },
      context: { platform: 'ios' },
      sentName: 'Purchase Completed',
    });
    expect(second?.event).toMatchObject({ name: 'screen_viewed', props: {} });
  });

  test('of an SQL query has its properties as JSON, and times in UTC without a zone', async () => {
    const [event] = await imported(
      `uuid,event,properties,timestamp,distinct_id
0190aaaa-0000-7000-8000-000000000003,app opened,"{""$os"":""Android"",""count"":3,""zip"":""01234""}",2026-05-03 08:12:30.123000,somebody-new`,
    );
    expect(event).toEqual({
      event: {
        id: '0190aaaa-0000-7000-8000-000000000003',
        name: 'app_opened',
        ts: '2026-05-03T08:12:30.123000Z',
        anonymousId: 'somebody-new',
        props: { count: 3, zip: '01234' },
      },
      context: { platform: 'android' },
      sentName: 'app opened',
    });
  });

  test('keeps texts that only look like numbers', () => {
    const cells = {
      a: '007',
      b: '1e3',
      c: '-3.5',
      d: '12345678901234567890',
      e: 'False',
      f: '1.0',
    };
    const row = Object.fromEntries(
      Object.entries(cells).map(([name, text]) => [`properties.${name}`, text]),
    );
    const fields = readRecord({ event: 'x', distinct_id: 'somebody', ...row });
    expect(fields.properties).toEqual({ ...cells, c: -3.5, e: false });
  });
});

test('a new name of an event is FROM=TO', () => {
  expect([...parseRenames(['a = b=app_opened', ' x =y '])]).toEqual([
    ['a = b', 'app_opened'],
    ['x', 'y'],
  ]);
  for (const wrong of ['app_opened', '=app_opened', 'a=App Opened', 'a=']) {
    expect(() => parseRenames([wrong])).toThrow('is no new name of an event');
  }
});
