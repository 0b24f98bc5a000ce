import { expect, test } from 'bun:test';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import {
  footerSql,
  footerStats,
  parseFileStats,
} from '../../../src/event-store/file/file-stats.ts';
import { newId } from '../../../src/shared/ids.ts';
import { append, openEventStore } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);

test('the catalogue has the counts and bounds of columns that the file itself has', async () => {
  const [first, second] = [newId('app'), newId('app')].toSorted();
  const log = await store.openLog();
  await append(log, second!, [
    event({ name: 'b', anonymousId: 'person-2', userId: 'user-9', sessionId: 'session-1' }),
    event({ name: 'ä'.repeat(60), anonymousId: 'person-3' }),
  ]);
  await append(log, first!, [event({ name: 'a', anonymousId: 'person-1' })]);
  await log.close();
  await compactOnce(store.compaction);
  const [file] = await sql<{ path: string; bytes: number; stats: string }[]>`
    SELECT path, bytes, stats FROM event_files`;
  const stats = parseFileStats(file!.stats)!;
  expect(stats.app_id).toMatchObject({ values: 3, nulls: 0, min: first, max: second });
  expect(stats.person_id).toMatchObject({ values: 3, nulls: 0, min: 'person-1', max: 'user-9' });
  expect(stats.name).toMatchObject({ min: 'a', max: 'ä'.repeat(60) });
  expect(stats.user_id).toMatchObject({ values: 3, nulls: 2 });
  expect(stats.occurred_at?.min).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/);
  const path = await store.objects.localPath(file!.path);
  expect(Bun.file(path).size).toBe(file!.bytes);
  const footer = await store.connection.runAndReadAll(footerSql(path));
  expect(footerStats(footer.getRowObjectsJson())).toEqual(stats);
});
