import { describe, expect, test } from 'bun:test';
import { msToTs } from '@temporalio/common/lib/time';
import { MINUTE_MS } from '../../src/shared/time.ts';
import { FILES_TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { testDatabase } from '../support/postgres.ts';
import { compactEverything, startTestQueries } from '../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), { temporal });
const { call, deps } = service;
await startTestQueries(deps);
await startTestWorker(deps, temporal, {}, ['files']);

const EVENTS = 40;
const MINUTE = msToTs('1 minute');

async function organizationNamed(name: string) {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  return { ...org, ...app, name };
}

const alpha = await organizationNamed('alpha');
const bravo = await organizationNamed('bravo');

async function send({ name, device }: typeof alpha) {
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    name,
    anonymousId: `device-${name}-${n % 8}`,
    userId: `user-${name}-${n % 8}`,
    props: { plan: `${name}-secret-${n % 8}` },
  }));
  const answer = await call('/v1/events', { body: { events }, headers: device });
  expect(answer.status).toBe(202);
}

// At once, so that one segment has both, and one file.
await Promise.all([send(alpha), send(bravo)]);
await compactEverything(deps);

const plain = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

let forged = 0;

/**
 * What somebody does who can open a TCP connection to Temporal: a run of their own on a task queue of
 * their own, whose workflow task they answer with an activity of the service's.
 */
async function forge(job: unknown): Promise<string> {
  forged += 1;
  const { workflowService } = temporal.connection;
  const { namespace } = temporal;
  const name = `forged-job-${forged}`;
  const taskQueue = { name };
  const identity = { namespace, taskQueue };
  const workflowType = { name };
  // The server takes no poll without a deadline.
  const poll = () =>
    temporal.connection.withDeadline(Date.now() + MINUTE_MS, () =>
      workflowService.pollWorkflowTaskQueue(identity),
    );
  await workflowService.startWorkflowExecution({
    ...identity,
    workflowId: name,
    workflowType,
    requestId: name,
  });
  const begun = await poll();
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken: begun.taskToken,
    commands: [
      {
        commandType: 1,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name: 'runEventJob' },
          taskQueue: { name: FILES_TASK_QUEUE },
          input: { payloads: [plain(job)] },
          startToCloseTimeout: MINUTE,
          scheduleToCloseTimeout: MINUTE,
          retryPolicy: { maximumAttempts: 1 },
        },
      },
    ],
  });
  const ended = await poll();
  const last = ended.history?.events?.at(-3);
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken: ended.taskToken,
    commands: [{ commandType: 4, completeWorkflowExecutionCommandAttributes: {} }],
  });
  return last?.activityTaskCompletedEventAttributes ? 'completed' : 'failed';
}

async function figuresOf({ orgId, appId, key }: typeof alpha) {
  const get = async (path: string) => {
    const { status, body } = await call(`/v1/apps/${appId}/${path}`, { headers: key });
    // Of now.
    const { dataThrough: _, window: __, ...answer } = body;
    return { status, body: answer };
  };
  return {
    orgId,
    summary: await get('events/summary'),
    names: await get('events/properties?name=bravo'),
    person: await get('person?personId=user-bravo-3'),
  };
}

const files = () => deps.sql`
  SELECT file_id, org_id, app_id, level, state, path, stats FROM event_files ORDER BY file_id`;

describe('a job on event files that nobody planned', () => {
  test('mixes no organizations, and deletes nothing of one with the other', async () => {
    const before = [await figuresOf(alpha), await figuresOf(bravo), await files()];
    expect(before[1]).toMatchObject({ summary: { body: { events: EVENTS, people: 8 } } });
    expect(JSON.stringify(before[0])).not.toContain('bravo-secret');
    expect(JSON.stringify(before[1])).toContain('bravo-secret-3');
    const shared = await deps.sql<{ file_id: string }[]>`
      SELECT file_id FROM event_file_apps GROUP BY file_id HAVING count(*) = 2`;
    const fileIds = shared.map(({ file_id }) => file_id);
    expect(fileIds).toHaveLength(1);
    const { appId } = alpha;
    const kinds = ['merge', 'split', 'correct', 'renew', 'expire', 'whatever'];
    for (const kind of kinds) await forge({ kind, fileIds });
    for (const kind of kinds) await forge({ kind, fileIds, appId });
    expect(await forge({ kind: 'merge', fileIds: [...fileIds, ...fileIds] })).toBe('failed');
    expect(await forge({ kind: 'merge', fileIds })).toBe('failed');
    expect(await forge({ kind: 'merge', fileIds: ['../../etc'] })).toBe('failed');
    expect(await forge(null)).toBe('failed');
    expect([await figuresOf(alpha), await figuresOf(bravo), await files()]).toEqual(before);

    const gone = await call(`/v1/apps/${appId}`, { method: 'DELETE', headers: alpha.key });
    expect(gone.status).toBe(200);
    const { deleteAppEvents } = await import('../../src/event-store/people.ts');
    await deleteAppEvents(deps.sql, alpha);
    expect(await figuresOf(bravo)).toEqual(before[1] as Awaited<ReturnType<typeof figuresOf>>);
  });
});
