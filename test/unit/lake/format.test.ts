import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Entry, encodeManifest } from '../../../src/lake/format/manifest.ts';
import { encodeManifestList } from '../../../src/lake/format/manifest-list.ts';
import { tableMetadata } from '../../../src/lake/format/metadata.ts';
import type { Manifest, PublishedFile } from '../../../src/lake/format/types.ts';
import { boundBytes, parseMicros, transformed } from '../../../src/lake/format/values.ts';
import { divideEntries, listedSnapshots, planManifests } from '../../../src/lake/plan.ts';
import { EVENTS, eventDataFile } from '../../../src/lake/tables/events.ts';
import { decodeAvro } from '../../support/lake/read-table.ts';

const DAY_MS = 86_400_000;
const objectUri = (key: string) => `s3://bucket/${key}`;
const duckText = (at: Date) => `${at.toISOString().replace('T', ' ').replace('Z', '')}+00`;
const instants = fc.date({
  min: new Date('1950-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('values', () => {
  test('are microseconds, days and months of UTC, before 1970 too', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const text = duckText(at);
        expect(parseMicros(text)).toBe(BigInt(at.getTime()) * 1_000n);
        expect(transformed('day', text)).toBe(Math.floor(at.getTime() / DAY_MS));
        const month = 12 * (at.getUTCFullYear() - 1970) + at.getUTCMonth();
        expect(transformed('month', text)).toBe(month);
      }),
    );
    expect(parseMicros('1969-12-31 23:59:59.999999+00')).toBe(-1n);
    expect(parseMicros('2026-03-01 00:00:00.1+00')).toBe(1_772_323_200_100_000n);
    expect(parseMicros('infinity')).toBeNull();
  });

  test('of text are bounds of what they were cut from, byte by byte', () => {
    const texts = fc.string({ unit: 'grapheme-composite', minLength: 0, maxLength: 90 });
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.constantFrom('\u{10ffff}', '\u{d7ff}', 'z'), { maxLength: 80 }),
        (head, tail) => {
          const text = (tail.join('') + head).toWellFormed();
          const whole = Buffer.from(text);
          const lower = boundBytes('string', text, 'lower')!;
          const upper = boundBytes('string', text, 'upper');
          expect(Buffer.compare(lower, whole)).toBeLessThanOrEqual(0);
          if (upper) expect(Buffer.compare(upper, whole)).toBeGreaterThanOrEqual(0);
          else expect([...text].slice(0, 64).every((one) => one === '\u{10ffff}')).toBe(true);
          expect([...lower.toString()].length).toBeLessThanOrEqual(64);
        },
      ),
    );
  });
});

const names = fc.string({ minLength: 1, maxLength: 80 }).map((name) => name.toWellFormed());
const counts = fc.nat(1_000);

/** A file of any level with true statistics. */
const files = fc
  .record({
    level: fc.constantFrom(0, 1, 2),
    at: instants,
    spanMs: fc.nat(3 * DAY_MS),
    app: names,
    name: names,
    rows: fc.integer({ min: 1, max: 9_000 }),
    bytes: fc.integer({ min: 1, max: 2 ** 40 }),
    nulls: counts,
    id: fc.uuid(),
  })
  .map(({ level, at, spanMs, app, name, rows, bytes, nulls, id }) => {
    const column = { bytes: 9, values: rows, nulls: 0 };
    const stats = {
      app_id: { ...column, min: app, max: app },
      name: { ...column, min: name, max: name },
      occurred_at: {
        ...column,
        min: duckText(at),
        max: duckText(new Date(at.getTime() + spanMs)),
      },
      user_id: { ...column, nulls: Math.min(nulls, rows) },
    };
    return eventDataFile({ path: `events/${id}`, level, rows, bytes, stats }, stats);
  });

const published = (file: Parameters<typeof fc.constant>[0] & object, number: number) =>
  ({ ...file, manifest: 'm', snapshotId: 7 + number, sequenceNumber: number }) as PublishedFile;

describe('manifests', () => {
  test('read back as what was written, with the ids that readers go by', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(files, fc.constantFrom('added', 'existing', 'deleted')), {
          minLength: 1,
          maxLength: 12,
        }),
        async (drawn) => {
          const specId = drawn[0]![0].specId;
          const spec = EVENTS.specs[specId]!;
          const entries = drawn
            .filter(([file]) => file.specId === specId)
            .map(([file, status], index): Entry => {
              if (status === 'added') return { status, file };
              const kind = status === 'deleted' ? 'deleted' : 'existing';
              return { status: kind, file: published(file, index + 1) };
            });
          const bytes = await encodeManifest(EVENTS, spec, entries, { snapshotId: 99, objectUri });
          const { header, records } = await decodeAvro(bytes);
          expect(String(header['partition-spec-id'])).toBe(String(specId));
          expect(JSON.parse(String(header['avro.schema'])).fields[0]['field-id']).toBe(0);
          expect(records).toHaveLength(entries.length);
          for (const [index, record] of records.entries()) {
            const { status, file } = entries[index]!;
            const data = record.data_file as Record<string, unknown>;
            expect(data.file_path).toBe(objectUri(file.path));
            expect(data.file_size_in_bytes).toBe(file.bytes);
            if (status === 'deleted') {
              expect([data.lower_bounds, data.upper_bounds]).toEqual([[], []]);
            }
            expect(data.record_count).toBe(file.rows);
            expect(Object.values(data.partition as object)).toEqual([...file.partition]);
            expect(data.null_value_counts).toContainEqual({
              key: 11,
              value: file.stats.user_id!.nulls,
            });
            if (status === 'added') {
              expect(record).toMatchObject({ status: 1, snapshot_id: 99, sequence_number: null });
            } else {
              expect(record.sequence_number).toBe(file.sequenceNumber);
              const snapshot = status === 'existing' ? file.snapshotId : 99;
              expect(record.snapshot_id).toBe(snapshot);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('put a file into a partition only where its own bounds prove that it lies in it', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { min, max } = file.stats.occurred_at!;
        const month = (text: string) => text.slice(0, text.indexOf('-', 5));
        const day = (text: string) => text.slice(0, text.indexOf(' '));
        if (file.specId === 1) expect(day(min!)).toBe(day(max!));
        if (file.specId === 2) expect(month(min!)).toBe(month(max!));
        if (file.specId === 0) expect(file.partition).toEqual([]);
      }),
    );
  });

  test('are few: those with a removed file are written anew, many small ones together', () => {
    const manifest = (path: string, kept: number): Manifest => ({
      ...{ path, specId: 0, bytes: 1, snapshotId: 1, sequenceNumber: 1, minSequenceNumber: 1 },
      added: { files: kept, rows: kept },
      existing: { files: 0, rows: 0 },
      deleted: { files: 1, rows: 1 },
      partitions: [],
    });
    const small = Array.from({ length: 8 }, (_, index) => manifest(`small-${index}`, 1));
    const [empty, large] = [manifest('empty', 0), manifest('large', 900)];
    const none = { touched: new Set<string>(), addedTo: new Set([0]) };
    const plan = planManifests([empty, large, ...small], none);
    expect(plan.kept).toEqual([large]);
    expect(plan.rewritten).toEqual(small);
    const touched = planManifests([large, ...small.slice(1)], {
      touched: new Set(['large']),
      addedTo: new Set(),
    });
    expect(touched.rewritten).toEqual([large]);
    expect(touched.kept).toHaveLength(7);
    const entries = Array.from({ length: 2_500 }, (_, index) => ({
      file: {
        specId: index % 2,
        partition: [index % 2 ? `app_${index % 9}` : 'a', index],
        path: '',
      },
    }));
    const divided = divideEntries(entries);
    expect(divided.flat()).toHaveLength(2_500);
    expect(Math.max(...divided.map((group) => group.length))).toBeLessThanOrEqual(1_000);
    for (const group of divided) expect(new Set(group.map((one) => one.file.specId)).size).toBe(1);
  });
});

test('a list of manifests that has none is a file that can be read', async () => {
  const snapshot = { snapshotId: 1, parentId: null, sequenceNumber: 1 };
  const { header, records } = await decodeAvro(await encodeManifestList([], snapshot, objectUri));
  expect(records).toEqual([]);
  expect(String(header['format-version'])).toBe('2');
});

test('metadata lists the newest snapshots and the last of each hour before', () => {
  const minute = 60_000;
  const all = Array.from({ length: 1_440 }, (_, index) => ({ timestampMs: index * minute }));
  const listed = listedSnapshots(all);
  expect(listed.length).toBeLessThanOrEqual(84);
  expect(listed.slice(-60)).toEqual(all.slice(-60));
  expect(listed).toEqual(listed.toSorted((a, b) => a.timestampMs - b.timestampMs));
  expect(new Set(listed.map(({ timestampMs }) => Math.floor(timestampMs / 3_600_000))).size).toBe(
    24,
  );
});

test('metadata names no parent that it does not list', () => {
  const snapshot = (snapshotId: number, parentId: number | null) => ({
    ...{ snapshotId, parentId, sequenceNumber: snapshotId, timestampMs: snapshotId },
    ...{ manifestList: 'list', summary: { operation: 'append' } },
  });
  const state = { uuid: 'u', location: 'l', updatedMs: 5, metadataLog: [] };
  const snapshots = [snapshot(3, 2), snapshot(4, 3)];
  const metadata = tableMetadata(EVENTS, { ...state, snapshots }, objectUri);
  expect(metadata.snapshots.map((one) => one['parent-snapshot-id'])).toEqual([undefined, 3]);
  expect(metadata['current-snapshot-id']).toBe(4);
  expect(metadata['last-column-id']).toBe(24);
});
