import { afterEach, describe, expect, test } from 'bun:test';
import { planJobs, shareOut } from '../../../src/event-store/maintenance/jobs.ts';
import { filesToCorrect, markCorrected } from '../../../src/event-store/maintenance/queries.ts';
import { PROJECTION_REVISION } from '../../../src/event-store/projection/format.ts';
import { systemClock } from '../../../src/shared/time.ts';
import type { EventFileJob } from '../../../src/temporal/contracts/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { fillCatalogue } from '../../support/synthetic-catalogue.ts';

const { sql } = await testDatabase();
const plan = () => planJobs({ sql, clock: systemClock });

afterEach(async () => {
  await sql`TRUNCATE event_files, event_file_apps, event_erasures, event_people, event_alias_counts CASCADE`;
});

const kindsOf = (jobs: readonly EventFileJob[]) =>
  Object.fromEntries(
    [...Map.groupBy(jobs, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );

/** Files of an app that are small enough to be merged, all of one month that is over. */
async function addSmallFiles(appId: string, count: number): Promise<void> {
  await sql`
    INSERT INTO event_files (file_id, org_id, app_id, level, format, day, path, rows, bytes,
      props_bytes, min_occurred_at, max_occurred_at, min_received_at, max_received_at, people_seq,
      projection_format, state)
    SELECT ${appId} || n, 'org_1', ${appId}, 1, 3, '2025-03-01', ${appId} || n, 10, 1000, 100,
      at, at, at, at, 1, ${PROJECTION_REVISION}, 'live'
    FROM generate_series(1, ${count}::int) n, LATERAL (SELECT timestamptz '2025-03-01 12:00Z' AS at) t`;
}

describe('a plan of maintenance', () => {
  const due = (kind: EventFileJob['kind'], count: number): EventFileJob[] =>
    Array.from({ length: count }, (_, n) => ({ kind, fileIds: [`${kind}-${n}`] }));
  const shared = (expire: number, correct: number, split: number, merge: number, renew = 0) =>
    kindsOf(
      shareOut({
        expire: due('expire', expire),
        correct: due('correct', correct),
        split: due('split', split),
        merge: due('merge', merge),
        renew: due('renew', renew),
      }),
    );

  test('has a share for each kind, and gives what is left over to the most urgent', () => {
    expect(shared(1, 500, 500, 500)).toEqual({ expire: 1, correct: 44, split: 30, merge: 25 });
    expect(shared(1, 500, 500, 500, 500)).toEqual({
      ...{ expire: 1, correct: 39, split: 30, merge: 25, renew: 5 },
    });
    expect(shared(0, 500, 6, 0)).toEqual({ correct: 94, split: 6 });
    expect(shared(0, 500, 500, 2)).toEqual({ correct: 68, split: 30, merge: 2 });
    expect(shared(0, 2, 3, 4)).toEqual({ correct: 2, split: 3, merge: 4 });
    expect(shared(0, 0, 0, 500)).toEqual({ merge: 100 });
    expect(shared(0, 0, 0, 0)).toEqual({});
  });

  test('takes the files that an erased person may be in before those with late aliases', () => {
    const jobs = shareOut({
      expire: [],
      correct: due('correct', 200),
      split: due('split', 100),
      merge: due('merge', 100),
      renew: [],
    });
    expect(jobs.slice(0, 40).map(({ fileIds }) => fileIds[0])).toEqual(
      Array.from({ length: 40 }, (_, n) => `correct-${n}`),
    );
  });

  test('splits shared files also while very many files have late aliases', async () => {
    await fillCatalogue(sql, { apps: 1, filesPerApp: 190, sharedFiles: 6, aliases: 3_000 });
    await sql`UPDATE event_files SET created_at = now() - interval '3 days' WHERE level = 0`;
    expect(kindsOf(await plan())).toEqual({ correct: 97, split: 3 });
  });

  test('merges the files of one app also where ten thousand have many that are whole', async () => {
    await fillCatalogue(sql, { apps: 2_000, filesPerApp: 3, sharedFiles: 1, aliases: 0 });
    await addSmallFiles('app_due', 6);
    expect(await plan()).toEqual([
      {
        kind: 'merge',
        fileIds: Array.from({ length: 6 }, (_, n) => `app_due${n + 1}`),
        appId: 'app_due',
      },
    ]);
  });
});

describe('files without a projection', () => {
  test('are due one by one, the newest first', async () => {
    await fillCatalogue(sql, { apps: 2, filesPerApp: 2, sharedFiles: 1, aliases: 0 });
    await sql`
      UPDATE event_files SET projection_format = 0, created_at = now() - interval '1 day'
      WHERE file_id = 'own_1_2'`;
    await sql`UPDATE event_files SET projection_format = 0 WHERE file_id = 'own_2_1'`;
    expect((await plan()).map(({ kind, fileIds }) => `${kind} ${fileIds}`)).toEqual([
      'renew own_2_1',
      'renew own_1_2',
    ]);
  });
});

describe('files of an earlier format', () => {
  test('are due one by one, also those that nothing else would ever rewrite', async () => {
    await fillCatalogue(sql, { apps: 2, filesPerApp: 2, sharedFiles: 1, aliases: 0 });
    await sql`UPDATE event_files SET format = 2 WHERE file_id IN ('own_1_2', 'own_2_1', 'shared_1')`;
    const jobs = await plan();
    expect(jobs.map(({ kind, fileIds }) => `${kind} ${fileIds}`).toSorted()).toEqual([
      'renew own_1_2',
      'renew own_2_1',
    ]);
  });
});

describe('late aliases', () => {
  test('make a shared file due from a thousand on, a file of one app from a part of its people on', async () => {
    await fillCatalogue(sql, { apps: 1, filesPerApp: 1, sharedFiles: 1, aliases: 999 });
    const count = (aliases: number, noted: number) => sql`
      WITH counted AS (UPDATE event_alias_counts SET aliases = ${aliases})
      UPDATE event_file_apps SET aliases = ${noted}`;
    const dueAfter = async (aliases: number, noted = 0) => {
      await count(aliases, noted);
      return filesToCorrect(sql, 10);
    };
    expect(await dueAfter(999)).toEqual([]);
    expect(await dueAfter(1_000)).toEqual(['own_1_1', 'shared_1']);
    // A twentieth of a hundred thousand.
    expect(await dueAfter(100_000, 95_001)).toEqual(['shared_1']);
    expect(await dueAfter(100_000, 95_000)).toEqual(['own_1_1', 'shared_1']);
    // Never more than a hundred thousand, which a query would feel.
    expect(await dueAfter(10_000_000, 9_900_001)).toEqual(['shared_1']);
    expect(await dueAfter(10_000_000, 9_900_000)).toEqual(['own_1_1', 'shared_1']);
    await sql.begin((tx) => markCorrected(tx, ['own_1_1', 'shared_1'], 2));
    expect(await filesToCorrect(sql, 10)).toEqual([]);
  });

  test('of files that did not note the count are those since counting began', async () => {
    await fillCatalogue(sql, { apps: 1, filesPerApp: 1, sharedFiles: 1, aliases: 5_000 });
    await sql`UPDATE event_file_apps SET aliases = NULL`;
    await sql`UPDATE event_alias_counts SET aliases_before = 4_001`;
    expect(await filesToCorrect(sql, 10)).toEqual([]);
    await sql`UPDATE event_alias_counts SET aliases_before = 4_000`;
    expect(await filesToCorrect(sql, 10)).toEqual(['own_1_1', 'shared_1']);
  });
});
