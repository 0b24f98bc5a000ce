import { afterAll, describe, expect, test } from 'bun:test';
import { ApplicationFailure } from '@temporalio/common';
import { createActivities } from '../../activities/index.ts';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import { liveFilesOfApp } from '../../src/event-store/catalogue/queries.ts';
import { compactAll } from '../../src/event-store/compaction/loop.ts';
import { reconcileEvents } from '../../src/event-store/maintenance/maintain.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { eraseFromEvents } from '../../src/event-store/people/erasure-queries.ts';
import {
  type EventFileJob,
  eventMaintenanceContract,
} from '../../src/temporal/contracts/events.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import {
  type Activities,
  runTestWorker,
  startTestWorker,
  type TestWorker,
} from '../support/worker.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const service = await startTestService(database, { temporal, env: { DISK_FLOOR_MB: '1' } });
const { deps } = service;
const org = await createTestOrg(service);
const compaction = await openCompactor(deps);

/** Of the plan and its jobs, where a test has its own. */
const own: { plan?: EventFileJob[]; run?: (job: EventFileJob) => Promise<void> } = {};
const real = createActivities(deps, CLEANUP_STEPS);
const activities: Partial<Activities> = {
  planEventJobs: async (input) => {
    const { plan } = own;
    if (plan === undefined) return real.planEventJobs(input);
    own.plan = [];
    return plan;
  },
  runEventJob: async (job) => (own.run ? own.run(job) : real.runEventJob(job)),
};
await startTestWorker(deps, temporal, activities);
/** From the first test on that needs it. */
let filesWorker: TestWorker | undefined;
afterAll(() => filesWorker?.stop());

async function appWithEvents() {
  const app = await createTestApp(service, org.orgId);
  const events = ['2026-01-05T10:00:00Z', '2026-02-05T10:00:00Z'].map((ts) => ({
    name: 'app_opened',
    anonymousId: 'device-1',
    userId: 'ann',
    ts,
  }));
  await service.call('/v1/events', { headers: app.device, body: { events } });
  await until('it is compacted', async () => (await compactAll(compaction)) !== 0);
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

  test('waits on a queue of its own, and the status says when nobody takes it', async () => {
    const maintenance = async () => {
      const { body } = await service.call('/v1/status', { headers: org.key });
      return body.dependencies.find((one: any) => one.name === 'maintenance').status;
    };
    expect(await maintenance()).toBe('up');
    await deps.temporal.ensure(eventMaintenanceContract, {});
    await until('the work that nobody takes shows', async () => (await maintenance()) === 'down');
    filesWorker = await runTestWorker(deps, temporal, activities, ['files']);
    await temporal.client.workflow.getHandle('eventMaintenance').result();
    expect(await maintenance()).toBe('up');
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

  test('does jobs of several apps side by side, those of one app in order, and keeps the others when one fails', async () => {
    const job = (appId: string, n: number): EventFileJob => ({
      kind: 'merge',
      fileIds: [`fil_${appId.slice(4)}${n}`],
      appId,
    });
    const [one, two] = ['app_11111111', 'app_22222222'];
    own.plan = [job(one, 1), job(one, 2), job(two, 1), job(one, 3)];
    const begun: string[] = [];
    const bothUnderWay = Promise.withResolvers<void>();
    own.run = async ({ appId = '', fileIds }) => {
      begun.push(`${appId} ${fileIds}`);
      if (new Set(begun.map((line) => line.split(' ')[0])).size === 2) bothUnderWay.resolve();
      // Neither ends before the other has begun.
      await bothUnderWay.promise;
      if (appId === two) throw ApplicationFailure.nonRetryable('This app has trouble.');
    };
    const handle = await deps.temporal.ensure(eventMaintenanceContract, {});
    await deps.temporal.client.workflow.getHandle(handle.workflowId).result();
    delete own.run;
    delete own.plan;
    expect(begun.filter((line) => line.startsWith(one))).toEqual(
      [1, 2, 3].map((n) => `${one} fil_11111111${n}`),
    );
    expect(begun).toHaveLength(4);
    await keepHistory(
      temporal.client,
      handle.workflowId,
      'event-maintenance/lanes',
      handle.firstExecutionRunId,
    );
  });
});
