import { describe, expect, test } from 'bun:test';
import { liveFilesOfApp } from '../../src/event-store/catalogue/queries.ts';
import { compactAll } from '../../src/event-store/compaction/loop.ts';
import { reconcileEvents } from '../../src/event-store/maintenance/maintain.ts';
import { eraseFromEvents } from '../../src/event-store/people/erasure-queries.ts';
import { openCompactor } from '../../src/event-store/store.ts';
import { eventMaintenanceContract } from '../../src/temporal/contracts/events.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const service = await startTestService(database, { temporal, env: { DISK_FLOOR_MB: '1' } });
const { deps } = service;
const org = await createTestOrg(service);
const compaction = await openCompactor(deps);
await startTestWorker(deps, temporal);

async function appWithEvents() {
  const app = await createTestApp(service, org.orgId);
  const events = ['2026-01-05T10:00:00Z', '2026-02-05T10:00:00Z'].map((ts) => ({
    name: 'app_opened',
    anonymousId: 'device-1',
    userId: 'ann',
    ts,
  }));
  await service.call('/v1/events', { headers: app.device, body: { events } });
  while ((await compactAll(compaction)) === 0) await Bun.sleep(50);
  return app;
}

const runMaintenance = async () => {
  await reconcileEvents(deps);
  const handle = deps.temporal.client.workflow.getHandle(eventMaintenanceContract.workflowId({}));
  await handle.result();
  return handle;
};

describe('the maintenance of event files', () => {
  test('is not started when nothing is due', async () => {
    await reconcileEvents(deps);
    const handle = deps.temporal.client.workflow.getHandle('eventMaintenance');
    await expect(handle.describe()).rejects.toThrow();
  });

  test('splits what was written on a closed day, goes on until nothing is due, and ends', async () => {
    const { appId } = await appWithEvents();
    await database.sql`UPDATE event_files SET created_at = created_at - interval '2 days'`;
    const handle = await runMaintenance();
    expect((await handle.describe()).status.name).toBe('COMPLETED');
    const files = await liveFilesOfApp(database.sql, appId);
    expect(files.map((file) => [file.level, file.day])).toEqual([
      [1, '2026-01-05'],
      [1, '2026-02-05'],
    ]);
    await keepHistory(temporal.client, handle.workflowId, 'event-maintenance/split');
  });

  test('takes an erased person out of the files and forgets the plain id', async () => {
    const { appId } = await appWithEvents();
    const scope = { orgId: org.orgId, appId };
    await database.sql.begin((tx) => eraseFromEvents(tx, scope, 'ann', []));
    const handle = await runMaintenance();
    await keepHistory(temporal.client, handle.workflowId, 'event-maintenance/erased');
    const [left] = await database.sql`
      SELECT count(*)::int AS files FROM event_file_apps WHERE app_id = ${appId}`;
    expect(left?.files).toBe(0);
    const erased = await database.sql`SELECT subject FROM event_erasures WHERE app_id = ${appId}`;
    expect(erased.map((row) => row.subject)).toEqual([null, null]);
  });
});
