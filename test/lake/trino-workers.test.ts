import { describe, expect, test } from 'bun:test';
import { BENCH_ORG, benchFiles } from '../../bench/support/event-files.ts';
import { latestSnapshot } from '../../src/query/reading/lake/queries.ts';
import { must } from '../../src/shared/assert.ts';
import { temporaryFolder } from '../support/events.ts';
import { publishFolder } from '../support/lake/lake.ts';
import { serveLake } from '../support/lake/serve.ts';
import { LOCAL_FILES, overHttp } from '../support/lake/trino-catalogs.ts';
import { findTrino } from '../support/lake/trino-install.ts';
import {
  measureWorkers,
  rowsInCatalogue,
  type Share,
  workersQuestion,
} from '../support/lake/trino-shares.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';

const install = await findTrino();
const EVENTS = isFullRun ? 10_000_000 : 300_000;
const owner = { orgId: BENCH_ORG, appId: 'app_bench' };

async function stage() {
  const database = await testDatabase();
  const { sql } = database;
  const dir = temporaryFolder('trino-workers');
  const { objects, startMs } = await benchFiles(sql, dir, EVENTS, owner);
  await publishFolder(sql, objects, dir);
  return {
    catalog: { ...overHttp(await serveLake(database, { objects })), ...LOCAL_FILES },
    snapshot: must(await latestSnapshot(sql), 'it was published'),
    question: workersQuestion(owner, startMs),
    files: await rowsInCatalogue(sql, `file://${dir}/events`),
  };
}

describe.skipIf(install === null)('two workers of Trino', () => {
  test('share what a funnel reads, and read no file twice', async () => {
    const staged = await stage();
    const two = await measureWorkers(install!, staged, { workers: 2, rounds: 1 });
    const one = await measureWorkers(install!, staged, { workers: 1, rounds: 1 });
    console.log(
      JSON.stringify({ events: EVENTS, two: [two.ms, two.shares], one: [one.ms, one.shares] }),
    );
    expect(two.answer).toEqual(one.answer);
    expect(two.answer.total.people[0]).toBeGreaterThan(0);
    const rowsOf = (shares: Share[]) => shares.reduce((sum, { rows }) => sum + rows, 0);
    expect(rowsOf(two.shares)).toBe(rowsOf(one.shares));
    expect(two.shares).toHaveLength(2);
    expect(two.rowsByFile).toEqual(staged.files);
    for (const what of ['rows', 'bytes'] as const) {
      const [less = 0, more = 0] = two.shares.map((share) => share[what]).toSorted((a, b) => a - b);
      expect(less / (less + more)).toBeGreaterThan(0.4);
    }
  }, 1_800_000);
});
