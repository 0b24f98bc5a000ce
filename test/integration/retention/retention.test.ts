import { describe, expect, test } from 'bun:test';
import { compactNow } from '../../../src/event-store/maintenance/maintain.ts';
import { setRetention } from '../../../src/modules/app-settings/retention.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
const ctx = { deps: service.deps, requestId: 'test' };
const org = await createTestOrg(service);

describe('how long an app keeps things', () => {
  test('is for ever, 30 and 400 days, until an operator says otherwise', async () => {
    const { appId } = await createTestApp(service, org.orgId);
    expect(await setRetention(ctx, { appId })).toEqual({
      events: null,
      logs: 30,
      notifications: 400,
    });
    const shorter = { appId, events: 90, notifications: 0 };
    await expect(setRetention(ctx, shorter)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Events older than 90 days would be deleted for good.',
    });
    expect(await setRetention(ctx, { appId })).toMatchObject({ events: null, notifications: 400 });
    const set = await setRetention(ctx, { ...shorter, deleteOlder: true });
    expect(set).toEqual({ events: 90, logs: 30, notifications: null });
    expect(await setRetention(ctx, { appId, events: 0 })).toMatchObject({ events: null, logs: 30 });
  });

  test('cannot be said of an app that is not there', async () => {
    await expect(setRetention(ctx, { appId: 'app_none', events: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('takes older events out of the files with the next maintenance', async () => {
    const app = await createTestApp(service, org.orgId);
    const ts = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    const events = [1, 100].map((n) => ({ name: 'a', anonymousId: 'anon-0001', ts: ts(n) }));
    await service.call('/v1/events', { headers: app.device, body: { events } });
    await compactEverything(service.deps);
    await database.sql`UPDATE event_files SET created_at = created_at - interval '2 days'`;
    await setRetention(ctx, { appId: app.appId, events: 30, deleteOlder: true });
    expect((await compactNow(ctx)).jobs).toBeGreaterThan(0);
    const [left] = await database.sql`
      SELECT sum(rows)::int AS rows FROM event_file_apps WHERE app_id = ${app.appId}`;
    expect(left?.rows).toBe(1);
    expect(await compactNow(ctx)).toEqual({ events: 0, jobs: 0 });
  });
});
