import { describe, expect, test } from 'bun:test';
import { compactNow } from '../../../src/event-store/keep.ts';
import { setRetention } from '../../../src/modules/app-settings/settings.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
const ctx = { deps: service.deps, requestId: 'test' };
const org = await createTestOrg(service);

describe('how long an app keeps things', () => {
  test('is for ever, 30 and 400 days, until an owner or an operator says otherwise', async () => {
    const app = await createTestApp(service, org.orgId);
    const { appId } = app;
    const path = `/v1/apps/${appId}/retention`;
    const usual = { eventDays: null, logDays: 30, notificationDays: 400 };
    const read = () => service.call(path, { headers: org.key });
    const patch = (body: object) => service.call(path, { method: 'PATCH', headers: org.key, body });
    expect(await read()).toMatchObject({ status: 200, body: usual });
    const shorter = { eventDays: 90, notificationDays: null };
    expect(await patch(shorter)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'conflict',
          message: 'Events older than 90 days would be deleted for good.',
        },
      },
    });
    await expect(setRetention(ctx, { appId, ...shorter })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await read()).toMatchObject({ body: usual });
    const set = await patch({ ...shorter, deleteOlder: true });
    expect(set).toMatchObject({ status: 200, body: { ...usual, ...shorter } });
    expect(await patch({ logDays: 60 })).toMatchObject({
      body: { ...usual, ...shorter, logDays: 60 },
    });
    expect(await setRetention(ctx, { appId, eventDays: null })).toEqual({
      eventDays: null,
      logDays: 60,
      notificationDays: null,
    });
    expect(await patch({ eventDays: 0 })).toMatchObject({ status: 400 });
  });

  test('cannot be said of an app that is not there', async () => {
    await expect(setRetention(ctx, { appId: 'app_none', eventDays: 1 })).rejects.toMatchObject({
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
    await setRetention(ctx, { appId: app.appId, eventDays: 30, deleteOlder: true });
    expect((await compactNow(ctx)).jobs).toBeGreaterThan(0);
    const [left] = await database.sql`
      SELECT sum(rows)::int AS rows FROM event_file_apps WHERE app_id = ${app.appId}`;
    expect(left?.rows).toBe(1);
    expect(await compactNow(ctx)).toEqual({ events: 0, jobs: 0 });
  });
});
