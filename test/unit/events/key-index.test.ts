import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { MAX_SECTIONS, writeKeyRun } from '../../../src/event-store/compaction/maintain-runs.ts';
import {
  KeyIndex,
  type KeyRunInfo,
  runsOfHour,
  toSentHour,
} from '../../../src/event-store/dedup/key-index.ts';
import { packKeys } from '../../../src/event-store/dedup/key-run.ts';
import { expiredRuns, nextMerge } from '../../../src/event-store/dedup/plan.ts';
import {
  hourNumber,
  limitSpans,
  type Section,
  settledSpan,
  spanName,
  toSpan,
} from '../../../src/event-store/dedup/sections.ts';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { eventIdentities } from '../../../src/event-store/event/identity.ts';
import { normalizeBatch } from '../../../src/event-store/event/normalize.ts';
import { parseMicroseconds } from '../../../src/event-store/event/time-rules.ts';
import { at, must } from '../../../src/shared/assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/shared/time.ts';
import { writeDurably } from '../../../src/storage/files.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import { event, RECEIVED_AT, row, temporaryFolder } from '../../support/events.ts';

const dir = temporaryFolder('key-index');
const objects = localObjectStore(dir);
const index = new KeyIndex((path) => objects.localPath(path));
const hexKey = (n: number) => new Bun.CryptoHasher('md5').update(`${n}`).digest('hex');

/** An event that was sent so long before the receipt, or without a time. */
function sentRow(n: number, ageHours: number | null, receivedMs = RECEIVED_AT): EventRow {
  const received = { key: hexKey(n), receivedAtUs: receivedMs * 1_000 };
  if (ageHours === null) return row({ ...received, clientTs: null, timeFlag: 'no_ts' });
  const sentMs = receivedMs - ageHours * HOUR_MS;
  const sent = { ...received, clientTs: new Date(sentMs).toISOString() };
  // Where it occurred at another time than it says, what it says decides.
  if (n % 2 === 1) return row({ ...sent, timeFlag: 'shifted', occurredAtUs: receivedMs * 1_000 });
  return row({ ...sent, timeFlag: null, occurredAtUs: sentMs * 1_000 });
}

async function writtenRun(rows: EventRow[], nowMs = RECEIVED_AT): Promise<KeyRunInfo> {
  const run = await writeKeyRun({ objects, clock: () => new Date(nowMs) }, rows);
  return { ...must(run, 'a run of keyed rows'), seq: 1 };
}

test('the hour of an event is that of its `ts` as sent, whatever time it was given', () => {
  const ts = fc.oneof(
    fc.constant(undefined),
    fc
      .integer({ min: -800 * DAY_MS, max: 800 * DAY_MS })
      .map((ms) => new Date(RECEIVED_AT + ms).toISOString()),
    fc.constantFrom('2026-07-01T01:30:00.123456+02:00', '2026-07-01t01:30:60z', 'no time'),
  );
  fc.assert(
    fc.property(fc.array(ts, { minLength: 1, maxLength: 20 }), (sent) => {
      const header = { v: 1, org: 'o', app: 'a', key: 'k', receivedAt: RECEIVED_AT, arrival: 1 };
      const events = sent.map((one) => ({ ...event(), ts: one }));
      const body = Buffer.from(JSON.stringify({ events }));
      const hours = normalizeBatch({ header: { ...header, v: 1 }, body }).map(toSentHour);
      const expected = sent.map((one) => {
        const us = one === undefined ? null : parseMicroseconds(one);
        return us === null ? null : hourNumber(us / 1_000);
      });
      expect(hours).toEqual(expected);
    }),
  );
});

describe('a run in sections', () => {
  const age = fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: -500_000, max: 500_000 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

  test('holds the key of every row it was made of, whatever their times, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(age, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 0, max: 7 }),
        async (ages, daysLater) => {
          const rows = ages.map((hours, n) => sentRow(n, hours));
          const run = await writtenRun(rows);
          expect(run.sections?.length).toBeLessThanOrEqual(MAX_SECTIONS);
          // A retry repeats the time that was sent; it is received whenever it arrives.
          const again = rows.map((one) => ({
            ...one,
            receivedAtUs: one.receivedAtUs + daysLater * DAY_MS * 1_000,
          }));
          const others = ages.map((hours, n) => sentRow(1_000 + n, hours));
          const known = await index.known([...again, ...others], [run]);
          expect(known).toEqual(new Set(rows.map(({ key }) => key ?? '')));
        },
      ),
      { numRuns: process.env.TEST_FULL ? 1_000 : 40 },
    );
  });

  test('is by the hour of what was sent today and yesterday, by the day before', () => {
    const now = Date.parse('2026-03-10T12:30:00Z');
    const span = (text: string) => {
      const { fromHour, toHour } = toSpan(hourNumber(Date.parse(text)), now, now);
      return [new Date(fromHour * HOUR_MS).toISOString().slice(0, 13), toHour - fromHour];
    };
    expect(span('2026-03-10T12:10:00Z')).toEqual(['2026-03-10T12', 1]);
    expect(span('2026-03-09T00:00:00Z')).toEqual(['2026-03-09T00', 1]);
    expect(span('2026-03-08T23:59:59Z')).toEqual(['2026-03-08T00', 24]);
    expect(span('2025-03-08T23:59:59Z')).toEqual(['2025-03-08T00', 24]);
    expect(span('2026-03-20T01:00:00Z')).toEqual(['2026-03-20T01', 1]);
    expect(toSpan(null, now, now)).toMatchObject({ of: 'received', toHour: hourNumber(now) + 12 });
  });

  test('joins the smallest of too many, first into days', () => {
    const span = (fromHour: number, keys: number) => ({
      of: 'sent' as const,
      fromHour,
      toHour: fromHour + 1,
      keys,
    });
    const names = (spans: ReturnType<typeof span>[], limit: number) =>
      new Set(spans.map(limitSpans(spans, limit)).map(spanName));
    const spans = Array.from({ length: 10 }, (_, n) => span(n, 10 - n));
    expect(names(spans, 10).size).toBe(10);
    expect(names(spans, 4)).toEqual(new Set(['sent 0 1', 'sent 1 2', 'sent 0 24']));
    const apart = Array.from({ length: 10 }, (_, n) => span(n * 24, 10 - n));
    expect(names(apart, 4)).toEqual(new Set(['sent 0 1', 'sent 24 25', 'sent 48 217']));
  });
});

describe('a look-up', () => {
  test('reads only the sections of its time', () => {
    const section = (of: 'sent' | 'received', fromHour: number, toHour: number): Section => ({
      ...{ of, fromHour, toHour, keys: 1, minReceivedMs: 0, maxReceivedMs: 0 },
    });
    const run: KeyRunInfo = {
      ...{ runId: 'run_1', path: '', keys: 4, seq: 1, settled: false, importId: null },
      ...{ minReceivedAt: new Date(0), maxReceivedAt: new Date(0) },
      sections: [
        section('sent', 0, 24),
        section('sent', 10, 11),
        section('sent', 24, 25),
        section('received', 0, 24),
        section('received', 24, 48),
      ],
    };
    const asked = (hour: number | null) =>
      runsOfHour([run], hour).map(({ section: { of, fromHour } }) => `${of} ${fromHour}`);
    expect(asked(9)).toEqual(['sent 0']);
    expect(asked(10)).toEqual(['sent 0', 'sent 10']);
    expect(asked(24)).toEqual(['sent 24']);
    expect(asked(25)).toEqual([]);
    // All days of receipt that are left, for a retry says nothing of the first one's.
    expect(asked(null)).toEqual(['received 0', 'received 24']);
  });

  test('finds what an earlier release stored: without sections, and by an id without its device', async () => {
    const hash = (text: string) =>
      new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 32);
    const rows = [event({ id: 'known' }), event({ id: 'new' }), event({ ts: '2026-03-10T11:00Z' })];
    const keys = eventIdentities('app_1', { events: rows });
    const [byId, other, byFields] = rows.map((one, n) =>
      row({ key: at(keys, n), eventId: one.id ?? null, clientTs: one.ts ?? null }),
    );
    const stored = [hash(JSON.stringify(['app_1', 'known'])), byFields?.key ?? ''];
    await Bun.write(join(dir, 'former.keys'), packKeys(stored));
    const former: KeyRunInfo = {
      ...{ runId: 'run_former', path: 'former.keys', keys: 2, seq: 1, settled: false },
      importId: null,
      ...{ minReceivedAt: new Date(RECEIVED_AT), maxReceivedAt: new Date(RECEIVED_AT) },
      sections: null,
    };
    const asked = [byId, other, byFields].map((one) => must(one, 'a row for each event'));
    expect(await index.known(asked, [former])).toEqual(
      new Set([byId?.key ?? '', byFields?.key ?? '']),
    );
    expect(await index.known(asked, [])).toEqual(new Set());
    index.retain([]);
    expect((await index.known(asked, [former])).size).toBe(2);
    expect(nextMerge([former, former], RECEIVED_AT)).toBeNull();
  });
});

describe('the index stays flat', () => {
  let made = 0;

  function run(sections: Section[], settled: boolean): KeyRunInfo {
    made += 1;
    return {
      runId: `run_${made}`,
      path: '',
      importId: null,
      keys: sections.reduce((sum, { keys }) => sum + keys, 0),
      seq: made,
      minReceivedAt: new Date(Math.min(...sections.map(({ minReceivedMs }) => minReceivedMs))),
      maxReceivedAt: new Date(Math.max(...sections.map(({ maxReceivedMs }) => maxReceivedMs))),
      sections,
      settled,
    };
  }

  function joined(sections: Section[], nowMs: number): Section[] {
    const spans = Map.groupBy(sections, (one) => spanName(settledSpan(one, nowMs)));
    return [...spans.values()].map((alike) => ({
      ...settledSpan(at(alike, 0), nowMs),
      keys: alike.reduce((sum, { keys }) => sum + keys, 0),
      minReceivedMs: Math.min(...alike.map(({ minReceivedMs }) => minReceivedMs)),
      maxReceivedMs: Math.max(...alike.map(({ maxReceivedMs }) => maxReceivedMs)),
    }));
  }

  /** Merges as `maintainRuns` does, in numbers. */
  function merged(runs: KeyRunInfo[], nowMs: number): { runs: KeyRunInfo[]; written: number } {
    const merge = nextMerge(runs, nowMs);
    if (merge === null) return { runs, written: 0 };
    const { young, settle } = merge;
    const gone = new Set([...young, ...(settle?.into ?? [])]);
    const sections = joined(
      young.flatMap((one) => one.sections ?? []),
      nowMs,
    );
    const leaves = (one: Section) => settle !== null && spanName(one) === spanName(settle.span);
    const staying = sections.filter((one) => !leaves(one));
    const added = [
      ...(staying.length > 0 ? [run(staying, false)] : []),
      ...(settle
        ? [
            run(
              joined(
                [
                  ...sections.filter(leaves),
                  ...settle.into.flatMap((one) =>
                    (one.sections ?? []).map((section) => ({ ...section, ...settle.span })),
                  ),
                ],
                nowMs,
              ),
              true,
            ),
          ]
        : []),
    ];
    return {
      runs: [...runs.filter((one) => !gone.has(one)), ...added],
      written: added.reduce((sum, { keys }) => sum + keys, 0),
    };
  }

  test('over ten days of 500 events a second, some late: two sections a key, and 400 runs', () => {
    const everyMs = 10 * MINUTE_MS;
    const keys = (500 * everyMs) / 1_000;
    const start = Date.parse('2026-03-01T00:00:00Z');
    const end = start + (process.env.TEST_FULL ? 30 : 10) * DAY_MS;
    let runs: KeyRunInfo[] = [];
    let written = 0;
    let received = 0;
    let widest = 0;
    for (let nowMs = start, n = 0; nowMs < end; nowMs += everyMs, n += 1) {
      const section = (agoHours: number, count: number): Section => ({
        ...toSpan(hourNumber(nowMs) - agoHours, nowMs, nowMs),
        keys: count,
        minReceivedMs: nowMs,
        maxReceivedMs: nowMs,
      });
      const late = [1, 1 + (n % 30), 1 + ((n * 7) % 180)];
      const sections = [section(0, keys), ...late.map((ago) => section(ago, keys / 100))];
      const expired = new Set(expiredRuns(runs, nowMs));
      runs = [...runs.filter((one) => !expired.has(one)), run(joined(sections, nowMs), false)];
      const next = merged(runs, nowMs);
      runs = next.runs;
      written += next.written;
      received += sections.reduce((sum, one) => sum + one.keys, 0);
      if (n % 5 > 0) continue;
      for (let ago = 0; ago <= 7 * 24; ago += 1) {
        widest = Math.max(widest, runsOfHour(runs, hourNumber(nowMs) - ago).length);
      }
    }
    expect(widest).toBe(2);
    expect(runs.length).toBeLessThan(400);
    // Sixteen bytes each: what an event costs on the disk.
    expect(written / received).toBeLessThan(60);
    const stored = runs.reduce((sum, one) => sum + one.keys, 0);
    expect(stored).toBeLessThan((17 * DAY_MS * keys * 1.03) / everyMs);
  });

  test('and a section is dropped a week after its newest receipt, never sooner', () => {
    const section: Section = {
      ...toSpan(hourNumber(RECEIVED_AT - 300 * DAY_MS), RECEIVED_AT, RECEIVED_AT),
      ...{ keys: 1, minReceivedMs: RECEIVED_AT - DAY_MS, maxReceivedMs: RECEIVED_AT },
    };
    const old = run([section], true);
    expect(expiredRuns([old], RECEIVED_AT + 7 * DAY_MS)).toEqual([]);
    expect(expiredRuns([old], RECEIVED_AT + 8 * DAY_MS)).toEqual([]);
    expect(expiredRuns([old], RECEIVED_AT + 8 * DAY_MS + 1)).toEqual([old]);
  });

  test('nothing received before the week of today is kept by what comes in late', () => {
    const section = (daysAgo: number, keys: number): Section => {
      const receivedMs = RECEIVED_AT - daysAgo * DAY_MS;
      return {
        ...toSpan(hourNumber(RECEIVED_AT - 10 * DAY_MS), RECEIVED_AT, RECEIVED_AT),
        ...{ keys, minReceivedMs: receivedMs, maxReceivedMs: receivedMs },
      };
    };
    const young = run([section(0, 300_000)], false);
    const [fresh, old] = [run([section(7, 1_000)], true), run([section(9, 1_000)], true)];
    expect(nextMerge([young, fresh, old], RECEIVED_AT)?.settle?.into).toEqual([fresh]);
  });
});

test('a run of fewer keys than the catalogue says answers nothing', async () => {
  const rows = [1, 2, 3].map((n) => sentRow(n, 1));
  const run = await writtenRun(rows);
  const other = new KeyIndex((path) => objects.localPath(path));
  await expect(other.known(rows, [{ ...run, keys: run.keys + 1 }])).rejects.toThrow('3 rows of 4');
  expect((await other.known(rows, [run])).size).toBe(3);
});

test('a run that was repaired is read anew, also where a part of it was read before', async () => {
  const rows = Array.from({ length: 200 }, (_, n) => sentRow(n, n < 100 ? 1 : 40));
  const run = await writtenRun(rows);
  expect(run.sections).toHaveLength(2);
  const path = await objects.localPath(run.path);
  const good = await Bun.file(path).bytes();
  const flipped = Uint8Array.from(good, (byte, place) => (place % 16 === 7 ? byte ^ 1 : byte));
  const [first] = run.sections!;
  // The first section is whole, the second one is not.
  await writeFile(
    path,
    Buffer.concat([good.slice(0, first!.keys * 16), flipped.slice(first!.keys * 16)]),
  );
  let isDamaged = true;
  const checked = new KeyIndex(async (key, part) => {
    if ((part?.from ?? 0) > 0 && isDamaged) throw new Error('damaged');
    return objects.localPath(key);
  });
  const bySection = Map.groupBy(rows, (one) => runsOfHour([run], toSentHour(one))[0]!.section);
  const [inFirst, inSecond] = run.sections!.map((section) => bySection.get(section)!);
  expect((await checked.known(inFirst!, [run])).size).toBe(inFirst!.length);
  await expect(checked.known(inSecond!, [run])).rejects.toThrow('damaged');
  await writeDurably(path, good);
  isDamaged = false;
  expect((await checked.known(inSecond!, [run])).size).toBe(inSecond!.length);
});
