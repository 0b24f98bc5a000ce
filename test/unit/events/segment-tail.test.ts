import { expect, test } from 'bun:test';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { SegmentTail } from '../../../src/event-store/hot/segment-tail.ts';
import { encodeRecord } from '../../../src/event-store/log/record.ts';
import { RECEIVED_AT, temporaryFolder } from '../../support/events.ts';

const dir = temporaryFolder('segment-tail');

const record = (n: number) =>
  encodeRecord(
    { v: 1, org: 'org_1', app: 'app_1', key: 'key_1', receivedAt: RECEIVED_AT, arrival: n },
    Buffer.from(JSON.stringify({ events: [{ name: `event_${n}`, anonymousId: 'device-1' }] })),
  );

test('a log that is cut off gives the batches that are left, and those after it', async () => {
  const records = [1, 2, 3].map(record);
  const path = join(dir, 'cut.log');
  const tail = new SegmentTail({ path, segmentId: 'seg_1' } as never);
  const names = async () => (await tail.rowsOf('app_1'))?.map(({ name }) => name);
  const kept = records.slice(0, 2).reduce((sum, { length }) => sum + length, 0);
  await Bun.write(path, Buffer.concat(records));
  expect(await tail.advance()).toBe(true);
  truncateSync(path, kept);
  expect(await names()).toEqual(['event_1', 'event_2']);
  expect(await names()).toEqual(['event_1', 'event_2']);
  expect(await tail.advance()).toBe(true);
  await Bun.write(path, Buffer.concat([...records.slice(0, 2), record(4)]));
  expect(await tail.advance()).toBe(true);
  expect(await names()).toEqual(['event_1', 'event_2', 'event_4']);
});

test('a long log is read by turns, and by several questions at once each event once', async () => {
  const body = Buffer.from(
    JSON.stringify({
      events: Array.from({ length: 100 }, (_, n) => ({
        ...{ name: `event_${n % 9}`, anonymousId: `device-${n}` },
        props: { text: 'x'.repeat(200), n },
      })),
    }),
  );
  const batch = (arrival: number) =>
    encodeRecord(
      { v: 1, org: 'org_1', app: 'app_1', key: 'key_1', receivedAt: RECEIVED_AT, arrival },
      body,
    );
  const records = Array.from({ length: 600 }, (_, n) => batch(n));
  const path = join(dir, 'long.log');
  await Bun.write(path, Buffer.concat(records));
  const tail = new SegmentTail({ path, segmentId: 'seg_1' } as never);
  await tail.advance();
  let [turns, isReading] = [0, true];
  const count = () => {
    turns += 1;
    if (isReading) setTimeout(count, 0);
  };
  count();
  const read = await Promise.all([1, 2, 3].map(() => tail.rowsOf('app_1')));
  isReading = false;
  expect(read.map((rows) => rows?.length)).toEqual([60_000, 60_000, 60_000]);
  expect(turns).toBeGreaterThan(8);
});
