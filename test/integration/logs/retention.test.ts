import { afterEach, describe, expect, test } from 'bun:test';
import { createPartitionedInsert } from '../../../src/modules/logs/ingest.ts';
import {
  LOGS_OF_PERSON,
  deleteLogsOfApp,
  partitionDays,
} from '../../../src/modules/logs/partition-queries.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { reconcileLogs } from '../../../src/modules/logs/reconcile.ts';
import { toRecord } from '../../../src/modules/logs/record.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => NOW }),
});
const { deps } = service;
const write = createPartitionedInsert(deps.sql);
const org = await createTestOrg(service);

/** Entries that are so many days old, about an app or about none. */
async function logged(ages: readonly number[], fields: Record<string, unknown> = {}) {
  await write(
    ages.map((age) =>
      toRecord(org.orgId, new Date(NOW.getTime() - age * DAY_MS), { message: `${age}`, fields }),
    ),
  );
}

async function agesOf(appId: string | null): Promise<number[]> {
  const rows = await deps.sql<{ at: Date }[]>`
    SELECT at FROM logs WHERE org_id = ${org.orgId} AND app_id IS NOT DISTINCT FROM ${appId}
    ORDER BY at DESC`;
  return rows.map(({ at }) => Math.round((NOW.getTime() - at.getTime()) / DAY_MS));
}

async function appKeeping(days: number | null): Promise<string> {
  const { appId } = await createTestApp(service, org.orgId);
  await deps.sql`UPDATE app_datasets SET log_retention_days = ${days} WHERE app_id = ${appId}`;
  return appId;
}

describe('what is kept, and for how long', () => {
  test('30 days, or what the app says; a day that nobody keeps is dropped whole', async () => {
    const [week, quarter] = [await appKeeping(7), await appKeeping(90)];
    const ages = [0, 6, 7, 8, 30, 31, 89, 91, 400];
    await logged(ages);
    for (const appId of [week, quarter]) await logged(ages, { appId });
    await logged(ages, { appId: 'app_of_nobody' });
    await reconcileLogs(deps);
    expect(await agesOf(null)).toEqual([0, 6, 7, 8, 30]);
    expect(await agesOf('app_of_nobody')).toEqual([0, 6, 7, 8, 30]);
    expect(await agesOf(week)).toEqual([0, 6, 7]);
    expect(await agesOf(quarter)).toEqual([0, 6, 7, 8, 30, 31, 89]);
    const days = await partitionDays(deps.sql);
    expect(days).not.toContain('2025-10-17');
    expect(days).toContain('2026-11-21');
    expect(days).toContain('2026-11-22');
    await reconcileLogs(deps);
    expect(await agesOf(quarter)).toEqual([0, 6, 7, 8, 30, 31, 89]);
  });

  test('an app may keep them for ever', async () => {
    const appId = await appKeeping(null);
    await logged([2_000], { appId });
    await reconcileLogs(deps);
    expect(await agesOf(appId)).toEqual([2_000]);
  });

  test('a day that is dropped takes its services and environments along', async () => {
    await write([
      toRecord(org.orgId, new Date(NOW.getTime() - 5_000 * DAY_MS), {
        message: 'old',
        service: 'retired',
      }),
    ]);
    await deps.sql`UPDATE app_datasets SET log_retention_days = 30`;
    await reconcileLogs(deps);
    const { body } = await service.call('/v1/logs', { headers: org.key });
    expect(body.resources).not.toContain('retired');
  });
});

/** The totals that the facets know must be those of the entries that are there. */
async function expectFacetsToFit(): Promise<void> {
  const facets = await deps.sql`
    SELECT org_id, day::text, service, env, level, entries::int FROM log_facets ORDER BY 1, 2, 3, 4, 5`;
  const counted = await deps.sql`
    SELECT org_id, (at AT TIME ZONE 'UTC')::date::text AS day, service, coalesce(env, '') AS env,
      level, count(*)::int AS entries
    FROM logs GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`;
  expect([...facets]).toEqual([...counted]);
}

afterEach(expectFacetsToFit);

test('the same entries written again count once', async () => {
  const record = toRecord(org.orgId, NOW, { message: 'once' });
  for (let times = 0; times < 3; times += 1) await write([record]);
  await expectFacetsToFit();
});

describe('what goes with an app or a person', () => {
  test('the entries of an app, of every day, and nobody else’s', async () => {
    const [one, other] = [await appKeeping(30), await appKeeping(30)];
    for (const appId of [one, other]) await logged([0, 1, 2], { appId });
    await deleteLogsOfApp(deps.sql, { orgId: org.orgId, appId: one });
    expect(await agesOf(one)).toEqual([]);
    expect(await agesOf(other)).toEqual([0, 1, 2]);
  });

  test('the entries about a person, by any of their ids', async () => {
    const [one, other] = [await appKeeping(30), await appKeeping(30)];
    const quoted = 'ada "the" first';
    await logged([0], { appId: one, userId: quoted });
    await logged([1], { appId: one, nested: { anonymousId: 'anon-1' } });
    await logged([2], { appId: one, userId: `${quoted} II` });
    await logged([3], { appId: one, note: 'anon-1' });
    await logged([4], { appId: other, userId: quoted });
    const scope = { orgId: org.orgId, appId: one };
    const person = { ids: [quoted, 'anon-1'], devices: ['anon-1'] };
    await erasePlaces(deps.sql, [LOGS_OF_PERSON], { ...scope, orgId: 'another' }, person);
    expect(await agesOf(one)).toEqual([0, 1, 2, 3]);
    await erasePlaces(deps.sql, [LOGS_OF_PERSON], scope, person);
    expect(await agesOf(one)).toEqual([2, 3]);
    expect(await agesOf(other)).toEqual([4]);
  });
});
