import { afterEach, describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import {
  type BucketFileOptions,
  bucketSegmentFiles,
} from '../../../src/event-store/log/bucket-file.ts';
import { EventLog, type EventLogOptions } from '../../../src/event-store/log/event-log.ts';
import { scanRecords } from '../../../src/event-store/log/record.ts';
import { listSegments } from '../../../src/event-store/log/segments.ts';
import { quietLog, RECEIVED_AT, temporaryFolder } from '../../support/events.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const opened: EventLog[] = [];
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

/** How a PUT ends: with the object there or not, and with an answer or not. */
type Ending = 'stored' | 'refused' | 'answer lost' | 'never answered';

const textsOf = (bytes: Uint8Array) =>
  scanRecords(bytes).records.map(({ body }) => Buffer.from(body).toString());

/** A log whose records are durable in a bucket, of which a test says how its PUTs end. */
async function openLog(
  options: Partial<BucketFileOptions> = {},
  logOptions: Partial<EventLogOptions> = {},
) {
  const objects = new Map<string, Uint8Array>();
  const endings: Ending[] = [];
  const calls = { puts: 0, removes: 0, canRemove: true };
  const answered: (() => void)[] = [];
  let holds = false;
  const putBytes = async (key: string, bytes: Uint8Array) => {
    calls.puts += 1;
    const ending = endings.shift() ?? 'stored';
    if (holds) await new Promise<void>((resolve) => answered.push(resolve));
    if (ending === 'refused') throw new Error('503 SlowDown');
    objects.set(key, new Uint8Array(bytes));
    if (ending === 'answer lost') throw new Error('ECONNRESET');
    if (ending === 'never answered') await new Promise(() => undefined);
  };
  const remove = async (key: string) => {
    calls.removes += 1;
    if (!calls.canRemove) throw new Error('ECONNRESET');
    objects.delete(key);
  };
  const stored: string[] = [];
  const files = bucketSegmentFiles({
    objects: { putBytes, remove },
    onStored: (segmentId) => stored.push(segmentId),
    restMs: 0,
    ...options,
  });
  const dir = temporaryFolder('bucket-log');
  const log = await EventLog.open({
    dir,
    log: quietLog(),
    openFile: files.open,
    maxSegmentBytes: 1,
    maxSegmentAgeMs: 60_000,
    ...logOptions,
  });
  opened.push(log);
  return {
    files,
    calls,
    endings,
    stored,
    append: (text: string) =>
      log.append({
        org: 'org_1',
        app: 'app_1',
        key: 'key_1',
        receivedAt: RECEIVED_AT,
        body: Buffer.from(text),
      }),
    /** PUTs wait for `release`. */
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const resolve of answered.splice(0)) resolve();
    },
    inBucket: () => [...objects.values()].flatMap(textsOf),
    onDisk: async () => {
      const texts: string[] = [];
      for (const { path } of await listSegments(dir)) texts.push(...textsOf(await readFile(path)));
      return texts;
    },
  };
}

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 5 };

describe('a record that is durable in the bucket', () => {
  test('is acknowledged when the bucket and the disk have it, not before', async () => {
    const log = await openLog();
    log.hold();
    let isAcknowledged = false;
    const appended = log.append('first').then(() => {
      isAcknowledged = true;
    });
    await until('it is being put', () => log.calls.puts !== 0);
    expect(isAcknowledged).toBe(false);
    expect(await log.onDisk()).toEqual([]);
    log.release();
    await appended;
    expect(log.inBucket()).toEqual(['first']);
    expect(await log.onDisk()).toEqual(['first']);
    expect(log.stored).toHaveLength(1);
  });

  test('shares its PUT with every record that waited meanwhile', async () => {
    const log = await openLog();
    const texts = Array.from({ length: 500 }, (_, i) => `batch ${i}`);
    await Promise.all(texts.map((text) => log.append(text)));
    expect(log.calls.puts).toBeLessThan(10);
    expect(log.inBucket()).toEqual(texts);
    expect(await log.onDisk()).toEqual(texts);
  });
});

describe('a bucket that fails', () => {
  test.each<Ending>(['refused', 'answer lost', 'never answered'])(
    'to answer a PUT (%s) makes its records refused, removed, and never kept on the disk only',
    async (ending) => {
      const log = await openLog({ putLimitMs: 20 });
      log.endings.push(ending);
      await expect(log.append('lost')).rejects.toMatchObject(UNAVAILABLE);
      expect(log.inBucket()).toEqual([]);
      expect(await log.onDisk()).toEqual([]);
      await log.append('next');
      expect(log.inBucket()).toEqual(['next']);
      expect(await log.onDisk()).toEqual(['next']);
    },
  );

  test('to remove what it may have taken leaves nothing that its host would compact', async () => {
    const log = await openLog();
    log.endings.push('answer lost');
    log.calls.canRemove = false;
    await expect(log.append('lost')).rejects.toMatchObject(UNAVAILABLE);
    expect(await log.onDisk()).toEqual([]);
    expect(log.stored).toEqual([]);
  });

  test('is left alone for a moment, and batches are refused at once meanwhile', async () => {
    const log = await openLog({ restMs: 60_000 });
    log.endings.push('refused');
    await expect(log.append('lost')).rejects.toMatchObject(UNAVAILABLE);
    expect(log.files.isAway()).toBe(true);
    const puts = log.calls.puts;
    await expect(log.append('again')).rejects.toMatchObject(UNAVAILABLE);
    await expect(log.append('and again')).rejects.toMatchObject(UNAVAILABLE);
    expect(log.calls.puts - puts).toBeLessThanOrEqual(1);
  });

  test('is away from a refused PUT until one succeeds, and while the next is tried', async () => {
    const log = await openLog();
    expect(log.files.isAway()).toBe(false);
    log.endings.push('refused', 'refused');
    await expect(log.append('lost')).rejects.toMatchObject(UNAVAILABLE);
    expect(log.files.isAway()).toBe(true);
    log.hold();
    const tried = log.append('lost too').catch((refusal: unknown) => refusal);
    await until('it is put again', () => log.calls.puts >= 2);
    expect(log.files.isAway()).toBe(true);
    log.release();
    expect(await tried).toMatchObject(UNAVAILABLE);
    expect(log.files.isAway()).toBe(true);
    await log.append('next');
    expect(log.files.isAway()).toBe(false);
  });

  test('holds a bounded number of bytes in memory: further batches are refused', async () => {
    const log = await openLog({}, { maxWaitingBytes: 1_000 });
    log.hold();
    const waiting = Array.from({ length: 20 }, () => log.append('x'.repeat(200)));
    const ends = Promise.allSettled(waiting);
    log.release();
    while ((await Promise.race([ends, pause(5, 'before the next look')])) === undefined)
      log.release();
    const refused = (await ends).filter(({ status }) => status === 'rejected').length;
    expect(refused).toBeGreaterThan(10);
    expect(log.inBucket()).toHaveLength(20 - refused);
  });
});

test('whatever PUTs end in: acknowledged is in the bucket and on the disk once, refused in neither', async () => {
  const ending = fc.constantFrom<Ending>('stored', 'stored', 'refused', 'answer lost');
  await fc.assert(
    fc.asyncProperty(
      fc.array(ending, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
      async (endings, groups) => {
        const log = await openLog();
        log.endings.push(...endings);
        const acknowledged: string[] = [];
        for (const [group, size] of groups.entries()) {
          const texts = Array.from({ length: size }, (_, i) => `${group}-${i}`);
          const ends = await Promise.allSettled(texts.map((text) => log.append(text)));
          acknowledged.push(...texts.filter((_, i) => ends[i]?.status === 'fulfilled'));
        }
        expect(log.inBucket()).toEqual(acknowledged);
        // A file after a refusal has another owner, whose name says nothing of its time.
        expect((await log.onDisk()).toSorted()).toEqual(acknowledged.toSorted());
      },
    ),
    { numRuns: process.env.TEST_FULL ? 500 : 40 },
  );
});
