import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventFile } from '../../../src/event-store/file/event-file.ts';
import {
  filesToCoalesce,
  filesToMerge,
  filesToSplit,
  openSinceMs,
  WHOLE_FILE_BYTES,
} from '../../../src/event-store/maintenance/plan.ts';
import { splitParts } from '../../../src/event-store/maintenance/split.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';

const MB = 1024 * 1024;
const NOW = Date.parse('2026-03-10T12:00:00Z');
let made = 0;

function file(fields: Partial<EventFile> = {}): EventFile {
  made += 1;
  const bytes = fields.bytes ?? MB;
  const at = fields.minOccurredAt ?? new Date(NOW - HOUR_MS);
  return {
    fileId: `fil_${made}`,
    orgId: null,
    appId: null,
    format: 2,
    level: 0,
    day: null,
    path: '',
    rows: Math.ceil(bytes / 25),
    bytes,
    propsBytes: 10 * bytes,
    projection: null,
    projectionBytes: null,
    projectionFormat: 0,
    minOccurredAt: at,
    maxOccurredAt: at,
    minReceivedAt: at,
    maxReceivedAt: at,
    peopleSeq: 0,
    createdAt: new Date(NOW),
    ...fields,
  };
}

const dayFile = (daysAgo: number, bytes: number) => {
  const at = new Date(openSinceMs(NOW) - daysAgo * DAY_MS + HOUR_MS);
  return file({
    level: 1,
    appId: 'app_1',
    orgId: 'org_1',
    day: at.toISOString().slice(0, 10),
    minOccurredAt: at,
    bytes,
  });
};

/** Applies a plan as the jobs would: the files of a group become one. */
function applied(files: EventFile[], group: EventFile[]): EventFile[] {
  const gone = new Set(group);
  const days = new Set(group.map((one) => one.day));
  const merged = {
    ...file(),
    ...group[0],
    bytes: group.reduce((sum, one) => sum + one.bytes, 0),
    rows: group.reduce((sum, one) => sum + one.rows, 0),
    propsBytes: group.reduce((sum, one) => sum + (one.propsBytes ?? 0), 0),
    day: days.size === 1 ? (group[0]?.day ?? null) : null,
    maxOccurredAt: group.at(-1)?.maxOccurredAt ?? new Date(),
  };
  return [...files.filter((one) => !gone.has(one)), merged];
}

describe('files of many apps', () => {
  test('stay few after an hour of commits every two seconds with nothing else running', () => {
    let files: EventFile[] = [];
    let rewritten = 0;
    for (let commit = 0; commit < 1_800; commit += 1) {
      files.push(file({ bytes: 1.5 * MB }));
      for (let group = filesToCoalesce(files); group.length > 0; group = filesToCoalesce(files)) {
        files = applied(files, group);
        rewritten += group.reduce((sum, one) => sum + one.bytes, 0);
      }
    }
    expect(files.length).toBeLessThan(150);
    // Each byte is written again at most three times.
    expect(rewritten).toBeLessThan(3 * 1_800 * 1.5 * MB);
  });

  test('are put together until there are few of each size, and then left alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 * MB }), { maxLength: 200 }), (sizes) => {
        let files = sizes.map((bytes) => file({ bytes }));
        let steps = 0;
        for (let group = filesToCoalesce(files); group.length > 0; group = filesToCoalesce(files)) {
          expect(group.length).toBeGreaterThan(1);
          files = applied(files, group);
          steps += 1;
        }
        expect(steps).toBeLessThan(200);
        expect(files.filter((one) => one.bytes < MB).length).toBeLessThan(24);
      }),
    );
  });

  test('of rows too wide to be sorted together stay apart, and hold up nobody else', () => {
    const wide = () => file({ rows: 15_000, propsBytes: 15_000 * 8_000 });
    const narrow = () => file({ rows: 15_000, propsBytes: 15_000 * 80 });
    const narrowOnes = Array.from({ length: 8 }, narrow);
    const files = [...Array.from({ length: 8 }, wide), ...narrowOnes];
    expect(filesToCoalesce(files)).toEqual(narrowOnes);
    expect(filesToSplit(files.slice(0, 3), 1_000 * MB, NOW)).toHaveLength(3);
  });

  test('are put together up to 48 MB and 1.5 million rows, and only while half as large', () => {
    const eight = (fields: Partial<EventFile>) => Array.from({ length: 8 }, () => file(fields));
    const taken = (fields: Partial<EventFile>) =>
      filesToCoalesce(eight({ rows: 1_000, propsBytes: 0, ...fields })).length;
    expect([6 * MB, 6 * MB + 1].map((bytes) => taken({ bytes }))).toEqual([8, 7]);
    expect([187_500, 187_501].map((rows) => taken({ rows }))).toEqual([8, 7]);
    expect([24 * MB - 1, 24 * MB].map((bytes) => taken({ bytes }))).toEqual([2, 0]);
    expect([749_999, 750_000].map((rows) => taken({ rows }))).toEqual([2, 0]);
    expect(filesToCoalesce(eight({}).slice(1))).toEqual([]);
  });

  test('are of one size from 256 KB on in steps of eight', () => {
    const KB = 1024;
    const four = (bytes: number) =>
      Array.from({ length: 4 }, () => file({ bytes, rows: 1_000, propsBytes: 0 }));
    const taken = (a: number, b: number) => filesToCoalesce([...four(a), ...four(b)]).length;
    expect(taken(1, 256 * KB)).toBe(8);
    expect(taken(256 * KB, 256 * KB + 1)).toBe(0);
    expect(taken(256 * KB + 1, 2_048 * KB)).toBe(8);
    expect(taken(2_048 * KB, 2_048 * KB + 1)).toBe(0);
  });

  test('are sorted in one portion up to 96 MB: 400 bytes a row and its props, tenfold when unknown', () => {
    const portions = (fields: Partial<EventFile>) =>
      filesToSplit([file(fields), file(fields)], 1_000 * MB, NOW).length;
    const rows = 122_880 / 2;
    const propsBytes = (96 * MB) / 2 - rows * 400;
    expect(portions({ rows, propsBytes })).toBe(1);
    expect(portions({ rows, propsBytes: propsBytes + 1 })).toBe(2);
    const bytes = Math.floor(propsBytes / 10);
    expect(portions({ rows, bytes, propsBytes: null })).toBe(1);
    expect(portions({ rows, bytes: bytes + 1, propsBytes: null })).toBe(2);
  });

  test('are never more than can be sorted, whatever their rows are like', () => {
    const any = fc.record({
      rows: fc.integer({ min: 1, max: 2_000_000 }),
      width: fc.integer({ min: 0, max: 30_000 }),
      isOld: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (given) => {
        let files = given.map(({ rows, width, isOld }) =>
          file({ rows, bytes: rows * 25, propsBytes: isOld ? null : rows * width }),
        );
        for (let group = filesToCoalesce(files); group.length > 0; group = filesToCoalesce(files)) {
          const rows = group.reduce((sum, one) => sum + one.rows, 0);
          const props = group.reduce((sum, one) => sum + (one.propsBytes ?? 10 * one.bytes), 0);
          const bytesOfRow = 400 + props / rows;
          expect(bytesOfRow * Math.min(rows, 122_880)).toBeLessThanOrEqual(96 * MB);
          files = applied(files, group);
        }
      }),
    );
  });

  test('are split once the day they were written on is closed', () => {
    const today = file();
    const yesterday = file({ createdAt: new Date(openSinceMs(NOW) - 1) });
    expect(filesToSplit([today, yesterday], 0, NOW)).toEqual([[yesterday]]);
    const justAfterMidnight = Date.parse('2026-03-10T01:59:00Z');
    const before = file({ createdAt: new Date('2026-03-09T23:00:00Z') });
    expect(filesToSplit([before], 0, justAfterMidnight)).toEqual([]);
  });

  test('are split at once when large apps make up much of them', () => {
    const files = [file({ bytes: 40 * MB }), file({ bytes: 40 * MB })];
    expect(filesToSplit(files, 30 * MB, NOW)).toEqual([]);
    expect(filesToSplit(files, 33 * MB, NOW).flat()).toEqual(files);
    const isSplit = (bytes: number, heavyBytes: number) =>
      filesToSplit([file({ bytes })], heavyBytes, NOW).length > 0;
    expect([32 * MB, 32 * MB - 1].map((heavy) => isSplit(100 * MB, heavy))).toEqual([true, false]);
    expect([40 * MB, 40 * MB - 1].map((heavy) => isSplit(160 * MB, heavy))).toEqual([true, false]);
  });

  test('are split in portions that fit into memory', () => {
    const files = Array.from({ length: 10 }, () => file({ rows: 700_000 }));
    const portions = filesToSplit(files, 1_000 * MB, NOW);
    expect(portions.map((portion) => portion.length)).toEqual([2, 2, 2, 2, 2]);
    const lengths = (rows: number[]) =>
      filesToSplit(
        rows.map((count) => file({ rows: count })),
        1_000 * MB,
        NOW,
      ).map((portion) => portion.length);
    expect(lengths([1_000_000, 999_999, 1])).toEqual([3]);
    expect(lengths([1_000_000, 1_000_000, 1])).toEqual([2, 1]);
  });
});

describe('rows of many apps', () => {
  const appDay = (appId: string, day: string, rows: number) => ({ appId, day, rows });

  test('become a file for an app and day where they fill one, else one for its closed days', () => {
    const { parts, rest } = splitParts(
      [
        appDay('big', '2026-03-09', 1_000_000),
        appDay('big', '2026-03-10', 1_000_000),
        appDay('small', '2026-02-28', 10),
        appDay('small', '2026-03-08', 10),
        appDay('small', '2026-03-09', 10),
        appDay('small', '2026-03-10', 10),
      ],
      25,
      '2026-03-10',
    );
    expect(parts.map(({ level, day }) => [level, day])).toEqual([
      [1, '2026-03-09'],
      [1, '2026-03-10'],
      [1, '2026-02-28'],
      [2, null],
    ]);
    expect(rest).toEqual([appDay('small', '2026-03-10', 10)]);
  });
});

describe('files of one app', () => {
  test('of a day become one, however large', () => {
    const files = [dayFile(3, 9 * MB), dayFile(3, 40 * MB), dayFile(2, 9 * MB)];
    expect(filesToMerge(files, NOW)).toEqual([files.slice(0, 2)]);
  });

  test('stand by themselves from 8 MB', () => {
    expect(WHOLE_FILE_BYTES).toBe(8 * MB);
    const two = (bytes: number) => [dayFile(3, bytes), dayFile(3, bytes)];
    const [whole, small] = [two(8 * MB), two(8 * MB - 1)];
    expect(filesToMerge(whole, NOW)).toEqual([whole]);
    expect(filesToMerge(small, NOW)).toEqual([]);
  });

  test('that are small wait until there are eight, or the month is over', () => {
    const few = Array.from({ length: 5 }, (_, i) => dayFile(i + 1, 1_000));
    expect(filesToMerge(few, NOW)).toEqual([]);
    expect(
      filesToMerge([...few, ...Array.from({ length: 3 }, () => dayFile(6, 1_000))], NOW),
    ).toHaveLength(1);
    const lastMonth = [dayFile(15, 1_000), dayFile(16, 1_000)];
    expect(filesToMerge(lastMonth, NOW)).toEqual([lastMonth]);
  });

  test('become one up to 256 MB and 8 million rows', () => {
    const four = (fields: Partial<EventFile>) =>
      Array.from({ length: 4 }, () => ({
        ...dayFile(3, 64 * MB),
        rows: 1_000,
        propsBytes: 0,
        ...fields,
      }));
    const merged = (fields: Partial<EventFile>) => filesToMerge(four(fields), NOW)[0]?.length;
    expect([64 * MB, 64 * MB + 1].map((bytes) => merged({ bytes }))).toEqual([4, 3]);
    expect([2_000_000, 2_000_001].map((rows) => merged({ rows }))).toEqual([4, 3]);
  });

  test('of an open day are left alone', () => {
    const open = [dayFile(0, 9 * MB), dayFile(0, 9 * MB)];
    expect(filesToMerge(open, NOW)).toEqual([]);
  });

  test('stay under 500 for 400 days of any size, and merging comes to an end', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 100, max: 20 * MB })),
          {
            minLength: 100,
            maxLength: 1_000,
          },
        ),
        (days) => {
          let files = days.map(([daysAgo, bytes]) => dayFile(daysAgo, bytes));
          for (
            let groups = filesToMerge(files, NOW);
            groups.length > 0;
            groups = filesToMerge(files, NOW)
          ) {
            for (const group of groups) files = applied(files, group);
          }
          expect(files.length).toBeLessThan(450);
        },
      ),
      { numRuns: 30 },
    );
  });
});
