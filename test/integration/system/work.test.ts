import { afterAll, expect, test } from 'bun:test';
import { hostname } from 'node:os';
import type { ProcessRole } from '../../../src/config.ts';
import { temporaryFolder } from '../../support/events.ts';
import { activities } from '../../../activities/activity.ts';
import { noteLacks, WorkNotes } from '../../../src/modules/system/work.ts';
import { ensureDigestSchedules } from '../../../src/modules/messages/reconcile.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { morningDigestContract } from '../../../src/temporal/contracts/digests.ts';
import { startChat } from '../../simulators/chat/server.ts';
import { inActivity } from '../../support/forged-world.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startQueries } from '../../../src/query/start.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const chat = startChat();
afterAll(() => chat.stop());
const PATH = '/json/digest';
const temporal = await testTemporal();
const database = await testDatabase();
const token = 'a-token-for-metrics-0123';
const service = await startTestService(database, {
  temporal,
  env: { METRICS_TOKEN: token, EGRESS_ALLOW: `127.0.0.1:${chat.port}` },
});
const { deps } = service;
const org = await createTestOrg(service);
const stored = () => database.sql<{ kind: string }[]>`
  SELECT kind FROM work_kinds WHERE failing_since IS NOT NULL ORDER BY kind`;

async function look(kind = 'writeDigest') {
  const { body } = await service.call('/v1/status', { headers: org.key });
  return {
    line: body.dependencies.find(({ name }: any) => name === 'work'),
    work: body.work.find((one: any) => one.kind === kind) ?? null,
  };
}

test('a kind of work that cannot be done is in the status, with what it waits for, until it is', async () => {
  expect(await look()).toMatchObject({ line: { status: 'up' }, work: null });
  await createTestApp(service, org.orgId);
  const destination = { kind: 'json', name: 'json', target: chat.url(PATH) };
  await service.call('/v1/digests/destinations', { headers: org.key, body: destination });
  const body = { isOn: true, timezone: 'UTC', hour: 8 };
  await service.call('/v1/digests', { method: 'PUT', headers: org.key, body });
  await ensureDigestSchedules(deps);
  await startTestWorker(deps, temporal);
  // As in a pod of workers without a query process.
  await deps.temporal.client.schedule.getHandle(morningDigestContract.workflowId(org)).trigger();
  const failing = await until('the digest waits', async (saw) => {
    const { work } = await look();
    saw(work);
    return work?.failingSince && work;
  });
  expect(failing).toEqual({
    kind: 'writeDigest',
    lastSucceededAt: null,
    failingSince: expect.any(String),
    waitsFor: expect.stringContaining('query process'),
  });
  await database.sql`UPDATE work_kinds SET failing_since = failing_since - interval '1 minute'`;
  const { line } = await look();
  expect(line).toMatchObject({ status: 'down' });
  expect(line.detail).toContain('writeDigest waits for a query process');
  const headers = { authorization: `Bearer ${token}` };
  const { text } = await service.call('/metrics', { headers });
  expect(text).toContain('dependency_up{dependency="work",role="api"} 0');

  await startTestQueries(deps);
  await until('the digest is sent', () => chat.received.some(({ path }) => path === PATH));
  await until('it is well', async (saw) => {
    const { work, line } = await look();
    saw(work);
    return work.lastSucceededAt !== null && work.failingSince === null && line.status === 'up';
  });
});

test('outages of customers, outcomes and turns of others are no faults of the service', async () => {
  const notes = new WorkNotes(deps);
  await notes.note('refused', new AppError('not_found', 'No such resource.'));
  await notes.note('busy', new AppError('unavailable', 'Try again.', { retryAfterSeconds: 2 }));
  expect(await stored()).toHaveLength(0);
  const fails = async () => {
    throw new AppError('unavailable', 'receiver.example.com does not answer.');
  };
  const { sendDigest } = activities(deps, { sendDigest: fails });
  await expect(inActivity('sendDigest', () => sendDigest(undefined))).rejects.toThrow(
    'does not answer',
  );
  expect(await stored()).toHaveLength(0);
});

test('a failure that nothing repeats says nothing of now, and no name of a customer is kept', async () => {
  const notes = new WorkNotes(deps);
  await notes.note('odd', new Error('secret.example.com refused'));
  expect((await look('odd')).work.waitsFor).toBe(
    'the end of a fault, which the log of the worker names',
  );
  await database.sql`UPDATE work_kinds SET failed_at = failed_at - interval '1 hour'`;
  expect((await look('odd')).work).toMatchObject({ failingSince: null, waitsFor: null });
  const several = [notes.note('odd'), notes.note('odd'), new WorkNotes(deps).note('odd')];
  await Promise.all(several);
  expect((await look('odd')).work.lastSucceededAt).not.toBeNull();
});

test('a worker whose neighbour with the questions is gone says so before any work fails', async () => {
  const sharing = (roles: ProcessRole[], runDir: string) =>
    noteLacks({ ...deps, config: { ...deps.config, roles, runDir } });
  const kind = `main on ${hostname()}`;
  const waitsFor = 'a query process on its DATA_DIR (ROLE)';
  await sharing(['worker'], temporaryFolder('alone'));
  expect((await look(kind)).work).toMatchObject({ failingSince: expect.any(String), waitsFor });
  await database.sql`UPDATE work_kinds SET failing_since = failing_since - interval '1 minute'`;
  expect((await look(kind)).line.detail).toContain(`${kind} waits for ${waitsFor}`);
  const queries = await startQueries(deps, 0);
  await sharing(['worker'], deps.config.runDir);
  await queries.stop();
  expect(await look(kind)).toMatchObject({ work: null, line: { status: 'up' } });
  await sharing(['worker', 'query'], temporaryFolder('own'));
  expect((await look(kind)).work).toBeNull();
});
