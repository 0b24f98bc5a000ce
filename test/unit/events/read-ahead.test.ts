import { describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { ReadAhead } from '../../../src/event-store/compaction/read-ahead.ts';
import { listSegments } from '../../../src/event-store/log/segments.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import { fillLog } from '../../support/event-backlog.ts';
import { temporaryFolder } from '../../support/events.ts';

const lines: string[] = [];
const keep = (_: object, message: string) => {
  lines.push(message);
};
const log = { error: keep, warn: keep, info: keep };
const objects = localObjectStore(temporaryFolder('read-ahead-objects'));

async function oneSegmentEach(count: number) {
  const dir = temporaryFolder('read-ahead');
  for (let n = 0; n < count; n += 1) await fillLog(dir, 20);
  return listSegments(dir);
}
const idsOf = (segments: readonly { segmentId: string }[] | undefined) =>
  segments?.map(({ segmentId }) => segmentId);

describe('the group that is read ahead', () => {
  test('is the next one while all of its segments wait, and the same as without', async () => {
    const segments = await oneSegmentEach(3);
    const ahead = new ReadAhead({ log, objects });
    ahead.begin(segments.slice(1));
    const group = await ahead.take(segments.slice(1));
    expect(idsOf(group?.segments)).toEqual(idsOf(segments.slice(1)));
    expect(group?.received).toHaveLength(40);
    expect(group).toEqual(await new ReadAhead({ log, objects }).take(segments.slice(1)));
  });

  test('is not used when another compactor has taken one of its segments', async () => {
    const segments = await oneSegmentEach(3);
    const ahead = new ReadAhead({ log, objects });
    ahead.begin(segments);
    const group = await ahead.take(segments.slice(2));
    expect(idsOf(group?.segments)).toEqual(idsOf(segments.slice(2)));
    expect(group?.received).toHaveLength(20);
  });

  test('is read again in its turn when it could not be read', async () => {
    const segments = await oneSegmentEach(2);
    const ahead = new ReadAhead({ log, objects });
    const [first] = segments;
    await rm(first!.path);
    ahead.begin(segments);
    expect(idsOf((await ahead.take(segments.slice(1)))?.segments)).toEqual(
      idsOf(segments.slice(1)),
    );
    ahead.begin(segments);
    await expect(ahead.take(segments)).rejects.toThrow('ENOENT');
    expect(lines).toEqual([]);
  });

  test('is none when nothing waits', async () => {
    const ahead = new ReadAhead({ log, objects });
    ahead.begin([]);
    expect(await ahead.take([])).toBeNull();
  });
});
