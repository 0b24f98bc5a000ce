import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventLog, type EventLogOptions } from '../../../src/event-store/log/event-log.ts';
import { isOwnerAlive, SegmentOwner } from '../../../src/event-store/log/owner.ts';
import { scanRecords } from '../../../src/event-store/log/record.ts';
import {
  type OpenSegmentFile,
  openSegmentFile,
  type SegmentFileHandle,
} from '../../../src/event-store/log/segment-file.ts';
import { listSegments, sealedSegments } from '../../../src/event-store/log/segments.ts';
import { quietLog, RECEIVED_AT, temporaryFolder } from '../../support/events.ts';
import { until } from '../../support/until.ts';

const opened: EventLog[] = [];
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

async function openLog(options: Partial<EventLogOptions> = {}) {
  const dir = options.dir ?? temporaryFolder('event-log');
  const eventLog = await EventLog.open({
    dir,
    log: quietLog(),
    maxSegmentAgeMs: 60_000,
    ...options,
  });
  opened.push(eventLog);
  return { dir, eventLog };
}

const append = (log: EventLog, text: string) =>
  log.append({
    org: 'org_1',
    app: 'app_1',
    key: 'key_1',
    receivedAt: RECEIVED_AT,
    body: Buffer.from(text),
  });

/** What a reader of the folder finds, segment after segment. */
/** By arrival: claims of one millisecond have names in any order. */
async function stored(dir: string): Promise<string[]> {
  const all = [];
  for (const { path } of await listSegments(dir)) {
    all.push(...scanRecords(await readFile(path)).records);
  }
  return all
    .toSorted((one, other) => (one.header.arrival ?? 0) - (other.header.arrival ?? 0))
    .map(({ body }) => Buffer.from(body).toString());
}

type Fault = { step: keyof SegmentFileHandle; half?: boolean };

/** A disk that fails at the next matching step, once per fault given. */
function failingDisk(faults: Fault[]): { openFile: OpenSegmentFile; synced: () => number } {
  let syncs = 0;
  const fail = (step: Fault['step']) => {
    if (faults[0]?.step !== step) return null;
    return faults.shift() ?? null;
  };
  const openFile: OpenSegmentFile = async (dir, id) => {
    const file = await openSegmentFile(dir, id);
    return {
      ...file,
      append: async (bytes) => {
        const fault = fail('append');
        if (fault?.half) await file.append(bytes.subarray(0, bytes.length >> 1));
        if (fault) throw new Error('ENOSPC: no space left on device');
        await file.append(bytes);
      },
      sync: async () => {
        if (fail('sync')) throw new Error('EIO: i/o error');
        syncs += 1;
        await file.sync();
      },
      truncate: async (length) => {
        if (fail('truncate')) throw new Error('EIO: i/o error');
        await file.truncate(length);
      },
    };
  };
  return { openFile, synced: () => syncs };
}

describe('the event log', () => {
  test('holds every acknowledged record once, in the order they came', async () => {
    const { dir, eventLog } = await openLog();
    const texts = Array.from({ length: 500 }, (_, i) => `batch ${i}`);
    await Promise.all(texts.map((text) => append(eventLog, text)));
    expect(await stored(dir)).toEqual(texts);
  });

  test('lets one sync serve every batch that waits', async () => {
    const disk = failingDisk([]);
    const { eventLog } = await openLog({ openFile: disk.openFile });
    await Promise.all(Array.from({ length: 200 }, (_, i) => append(eventLog, `${i}`)));
    expect(disk.synced()).toBeLessThan(20);
  });

  test('gives each batch a number of its own that grows', async () => {
    const { dir, eventLog } = await openLog();
    await Promise.all(Array.from({ length: 100 }, (_, i) => append(eventLog, `${i}`)));
    const [segment] = await listSegments(dir);
    const { records } = scanRecords(await readFile(segment!.path));
    const arrivals = records.map((one) => one.header.arrival);
    expect(arrivals).toEqual([...new Set(arrivals)].toSorted((a, b) => a - b));
  });

  test('seals a segment when it is large', async () => {
    const { dir, eventLog } = await openLog({ maxSegmentBytes: 2_000 });
    for (let i = 0; i < 50; i += 1) await append(eventLog, 'x'.repeat(200));
    const sealed = await sealedSegments(dir);
    expect(sealed.length).toBeGreaterThan(3);
    expect(sealed).toHaveLength((await listSegments(dir)).length - 1);
    for (const { path } of sealed) expect((await stat(path)).size).toBeLessThan(2_700);
  });

  test('seals what was written when it is old, also while nothing more comes', async () => {
    const { dir, eventLog } = await openLog({ maxSegmentAgeMs: 20 });
    await append(eventLog, 'alone');
    await until('it is sealed', async () => (await sealedSegments(dir)).length !== 0);
    expect(await stored(dir)).toEqual(['alone']);
  });

  test('seals everything and gives up its claim when it is closed', async () => {
    const { dir, eventLog } = await openLog();
    const last = append(eventLog, 'last');
    await eventLog.close();
    await last;
    expect(await sealedSegments(dir)).toHaveLength(1);
    expect((await readdir(dir)).filter((name) => name.endsWith('.owner'))).toEqual([]);
    await expect(append(eventLog, 'late')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a disk that fails', () => {
  const cases: [string, Fault[]][] = [
    ['is full', [{ step: 'append' }]],
    ['is full in the middle of a write', [{ step: 'append', half: true }]],
    ['cannot sync', [{ step: 'sync' }]],
    ['cannot sync, nor cut back at once', [{ step: 'sync' }, { step: 'truncate' }]],
  ];
  for (const [name, faults] of cases) {
    test(`that ${name} refuses the batch, keeps what was acknowledged, and goes on`, async () => {
      const pending: Fault[] = [];
      const { dir, eventLog } = await openLog({
        openFile: failingDisk(pending).openFile,
        maxSegmentAgeMs: 40,
      });
      await append(eventLog, 'before');
      pending.push(...faults);
      await expect(append(eventLog, 'refused')).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 5,
      });
      await append(eventLog, 'refused').catch(() => undefined);
      await until('nothing is pending', () => pending.length === 0);
      await append(eventLog, 'after');
      await eventLog.close();
      const texts = await stored(dir);
      expect(texts[0]).toBe('before');
      expect(texts.at(-1)).toBe('after');
    });
  }

  test('never shows what was refused to a reader of sealed segments', async () => {
    const pending: Fault[] = [];
    const { dir, eventLog } = await openLog({ openFile: failingDisk(pending).openFile });
    await append(eventLog, 'before');
    pending.push({ step: 'sync' });
    await expect(append(eventLog, 'refused')).rejects.toThrow();
    await append(eventLog, 'after');
    await eventLog.close();
    expect((await stored(dir)).toSorted()).toEqual(['after', 'before']);
  });

  test('is never written to again under the same name after a failed sync', async () => {
    const pending: Fault[] = [{ step: 'sync' }];
    const { dir, eventLog } = await openLog({ openFile: failingDisk(pending).openFile });
    await append(eventLog, 'refused').catch(() => undefined);
    const [abandoned] = await listSegments(dir);
    await append(eventLog, 'after');
    expect((await stat(abandoned!.path)).size).toBe(0);
    expect((await listSegments(dir)).length).toBe(2);
  });

  test('that has made the next segment and fails then seals the one before for good', async () => {
    let opens = 0;
    const openFile: OpenSegmentFile = async (dir, id) => {
      const file = await openSegmentFile(dir, id);
      opens += 1;
      if (opens !== 2) return file;
      await file.close();
      throw new Error('EIO: i/o error');
    };
    const { dir, eventLog } = await openLog({ openFile, maxSegmentBytes: 1 });
    await append(eventLog, 'before');
    await until('it is sealed', async () => (await sealedSegments(dir)).length !== 0);
    // A compactor takes what is sealed out of the folder.
    const taken = await sealedSegments(dir);
    for (const { path } of taken) await rm(path);
    await append(eventLog, 'after');
    expect(await stored(dir)).toEqual(['after']);
  });

  test('with no room for another claim keeps what was refused away from readers', async () => {
    const pending: Fault[] = [];
    const { dir, eventLog } = await openLog({ openFile: failingDisk(pending).openFile });
    await append(eventLog, 'before');
    const claim = spyOn(SegmentOwner, 'claim').mockRejectedValue(new Error('ENOSPC'));
    pending.push({ step: 'sync' }, { step: 'truncate' });
    await expect(append(eventLog, 'refused')).rejects.toThrow();
    await expect(append(eventLog, 'refused')).rejects.toThrow();
    claim.mockRestore();
    await append(eventLog, 'after');
    expect(await sealedSegments(dir)).toEqual([]);
  });

  test('turns callers away once too much waits', async () => {
    const { eventLog } = await openLog({ maxWaitingBytes: 1_000 });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => append(eventLog, 'x'.repeat(500))),
    );
    expect(results.filter((one) => one.status === 'rejected').length).toBeGreaterThan(10);
    await append(eventLog, 'later');
  });
});

describe('segments of other processes', () => {
  test('of a living process stay its own, but for the rotated ones', async () => {
    const { dir, eventLog } = await openLog();
    await append(eventLog, 'open');
    expect(await sealedSegments(dir)).toEqual([]);
  });

  test('of a process that was killed are sealed', async () => {
    const dir = temporaryFolder('event-log');
    const child = Bun.spawn({
      cmd: ['bun', join(import.meta.dir, '../../support/event-log-child.ts'), dir],
      stdout: 'pipe',
    });
    const reader = child.stdout.getReader();
    await reader.read();
    expect(await sealedSegments(dir)).toEqual([]);
    child.kill('SIGKILL');
    await child.exited;
    expect(await sealedSegments(dir)).toHaveLength(1);
    expect(await stored(dir)).toEqual(['from a child']);
  });

  test('of a process with the same number but another start are sealed', async () => {
    const dir = temporaryFolder('event-log');
    const { dir: other, eventLog } = await openLog();
    await append(eventLog, 'x');
    const name = (await readdir(other)).find((one) => one.endsWith('.owner'))!;
    const claim = JSON.parse(await readFile(join(other, name), 'utf8'));
    await writeFile(join(dir, 'again.owner'), JSON.stringify({ ...claim, startTime: '1' }));
    expect(await isOwnerAlive(dir, 'again')).toBe(false);
    expect(await isOwnerAlive(other, name.replace('.owner', ''))).toBe(true);
  });

  test('in another container are judged by how long they have been silent', async () => {
    const dir = temporaryFolder('event-log');
    const path = join(dir, 'far.owner');
    await writeFile(path, JSON.stringify({ pid: 1, startTime: '1', pidNamespace: 'pid:[1]' }));
    expect(await isOwnerAlive(dir, 'far')).toBe(true);
    for (const ahead of [-120_000, 86_400_000]) {
      const then = new Date(Date.now() + ahead);
      await utimes(path, then, then);
      expect(await isOwnerAlive(dir, 'far', 1_000)).toBe(true);
      expect(await isOwnerAlive(dir, 'far', 25_000)).toBe(true);
      expect(await isOwnerAlive(dir, 'far', 31_000)).toBe(false);
    }
  });

  test('in another container stay alive where the clock jumps a day ahead', async () => {
    const { dir, eventLog } = await openLog();
    await append(eventLog, 'before');
    const name = (await readdir(dir)).find((one) => one.endsWith('.owner'))!;
    const claim = JSON.parse(await readFile(join(dir, name), 'utf8'));
    await writeFile(join(dir, name), JSON.stringify({ ...claim, pidNamespace: 'pid:[1]' }));
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(dir, name), yesterday, yesterday);
    // What a compactor takes, it removes.
    for (const { path } of await sealedSegments(dir)) await rm(path);
    await append(eventLog, 'after');
    expect(await stored(dir)).toEqual(['before', 'after']);
  });
});
