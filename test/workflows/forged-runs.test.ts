import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, WorkflowFailedError } from '@temporalio/client';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import { loadConfig } from '../../src/config.ts';
import { runJob } from '../../src/event-store/maintenance/jobs.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { findTemporalCli } from '../../src/launcher/embedded/temporal-cli.ts';
import { startTemporal } from '../../src/launcher/embedded/temporal.ts';
import { runCleanupStep } from '../../src/modules/apps/delete.ts';
import { removeOrganizationRows } from '../../src/modules/identity/index.ts';
import { removeRawReports } from '../../src/modules/sales/collection/raw-reports.ts';
import { listTables, qualified } from '../../src/storage/dump/tables.ts';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), { temporal });
const { deps } = service;
const ctx = { deps, requestId: 'test' };
await startTestWorker(deps, temporal);
/** Somebody who reaches Temporal, and nothing else of the service. */
const stranger = new Client({ connection: temporal.connection, namespace: temporal.namespace });

async function livingOrg() {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  const funnel = { name: 'Kept', steps: ['a', 'b'].map((event) => ({ event, label: event })) };
  const made = await service.call(`/v1/apps/${app.appId}/funnels`, {
    headers: org.key,
    body: funnel,
  });
  expect(made.status).toBe(201);
  await service.call('/v1/logs', { headers: org.key, body: { message: 'hello' } });
  await service.call('/v1/logs', { headers: org.key });
  return { ...org, ...app };
}

/** How many rows of the organization each table holds. */
async function rowsOf(orgId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of await listTables(deps.sql)) {
    if (!table.columns.includes('org_id')) continue;
    const [row] = await deps.sql.unsafe(
      `SELECT count(*) AS count FROM ${qualified(table)} WHERE org_id = $1`,
      [orgId],
    );
    found[table.name] = row?.count;
  }
  return found;
}

let forged = 0;
async function forge(type: string, input: unknown): Promise<string> {
  forged += 1;
  try {
    await stranger.workflow.execute(type, {
      taskQueue: TASK_QUEUE,
      workflowId: `forged-${forged}`,
      args: [input],
    });
    return 'completed';
  } catch (thrown) {
    if (thrown instanceof WorkflowFailedError) return 'failed';
    throw thrown;
  }
}

describe('a run that no row asks for', () => {
  test('deletes nothing of an organization that is alive', async () => {
    const org = await livingOrg();
    const before = await rowsOf(org.orgId);
    expect(before.funnels).toBe(1);
    expect(await forge('organizationDeletion', { orgId: org.orgId })).toBe('failed');
    expect(await rowsOf(org.orgId)).toEqual(before);
    const apps = await service.call('/v1/apps', { headers: org.key });
    expect(apps.body).toHaveLength(1);
  });

  test('deletes nothing of an app that is alive, nor of one under a foreign name', async () => {
    const [org, other] = [await livingOrg(), await livingOrg()];
    const before = [await rowsOf(org.orgId), await rowsOf(other.orgId)];
    const { orgId, appId } = org;
    expect(await forge('appDeletion', { orgId, appId })).toBe('failed');
    // There is no such app, so there is nothing to do.
    await forge('appDeletion', { orgId: other.orgId, appId });
    expect([await rowsOf(orgId), await rowsOf(other.orgId)]).toEqual(before);
  });

  test('takes no row away before what the row asks for', async () => {
    const { orgId, appId } = await livingOrg();
    await deps.sql`UPDATE apps SET deleted_at = now() WHERE org_id = ${orgId}`;
    await deps.sql`
      INSERT INTO organization_deletions (org_id, name, slug, requested_by, requested_at)
      VALUES (${orgId}, 'Test', ${orgId}, 'owner', now())`;
    await expect(removeOrganizationRows(ctx, { orgId })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await rowsOf(orgId)).apps).toBe(1);
    await runCleanupStep(ctx, CLEANUP_STEPS, { orgId, appId, step: 'app' });
    const left = await rowsOf(orgId);
    expect(left).toMatchObject({ apps: 0, funnels: 0, event_deleted_apps: 1 });
  });

  test('takes nothing back of an app that is in use', async () => {
    const { orgId, appId } = await livingOrg();
    const before = await rowsOf(orgId);
    expect(await forge('appProvisioning', { orgId, appId })).toBe('completed');
    const { undoAppProvisioning } = await import('../../src/modules/apps/provision.ts');
    const undo = undoAppProvisioning(ctx, { orgId, appId });
    await expect(undo).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowsOf(orgId)).toEqual(before);
  });

  test('reaches no folder and no prefix with what is not an id', async () => {
    const victim = join(dirname(service.dataDir), `victim-${process.pid}`);
    mkdirSync(victim);
    writeFileSync(join(victim, 'file'), 'kept');
    const appId = `../../${victim.split('/').at(-1)}`;
    expect(await forge('appDeletion', { orgId: 'x', appId })).toBe('failed');
    expect(await forge('organizationDeletion', { orgId: '../..' })).toBe('failed');
    const step = { orgId: 'x', appId, step: 'preview' };
    await expect(runCleanupStep(ctx, CLEANUP_STEPS, step)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(removeRawReports(deps.objects, '../events')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(existsSync(join(victim, 'file'))).toBe(true);
  });

  test('retires no event file that its app still keeps', async () => {
    const { orgId, appId } = await livingOrg();
    const fileId = `fil_${crypto.randomUUID().replaceAll('-', '')}`.slice(0, 30);
    await deps.sql`
      INSERT INTO event_files (file_id, org_id, app_id, level, format, path, rows, bytes,
        props_bytes, min_occurred_at, max_occurred_at, min_received_at, max_received_at,
        people_seq, state)
      VALUES (${fileId}, ${orgId}, ${appId}, 1, 2, 'nowhere', 1, 1, 1, now(), now(), now(), now(),
        0, 'live')`;
    await deps.sql`
      INSERT INTO event_file_apps (app_id, file_id, org_id, first_row, rows, min_occurred_at,
        max_occurred_at)
      VALUES (${appId}, ${fileId}, ${orgId}, 0, 1, now(), now())`;
    const { sql, clock, objects } = deps;
    const job = { kind: 'expire', fileIds: [fileId] } as const;
    const compactor = { sql, clock, objects } as Compactor;
    const done = runJob(compactor, { ...job, fileIds: [...job.fileIds] });
    await expect(done).rejects.toMatchObject({ code: 'conflict' });
    await sql`UPDATE event_file_apps SET max_occurred_at = now() - interval '400 days',
      min_occurred_at = now() - interval '401 days' WHERE file_id = ${fileId}`;
    await sql`UPDATE app_datasets SET event_retention_days = 365 WHERE app_id = ${appId}`;
    await runJob(compactor, { ...job, fileIds: [...job.fileIds] });
    const [file] = await sql`SELECT state FROM event_files WHERE file_id = ${fileId}`;
    expect(file?.state).toBe('retired');
  });
});

describe("the embedded server's HTTP API", () => {
  test('starts no run, whatever host a request names', async () => {
    const [grpc, http, metrics] = [await freePort(), await freePort(), await freePort()];
    const server = await startTemporal({
      cliPath: await findTemporalCli(loadConfig(process.env).temporal, console.log),
      dataDir: mkdtempSync(join(tmpdir(), 'cp-temporal-')),
      databaseFile: null,
      ports: { grpc, http, metrics },
      ui: null,
      namespaces: ['default'],
    });
    try {
      const data = Buffer.from(JSON.stringify({ orgId: 'org' })).toString('base64');
      const encoding = Buffer.from('json/plain').toString('base64');
      for (const host of [`127.0.0.1:${http}`, `localhost:${http}`, 'evil.example', '']) {
        const answer = await fetch(
          `http://127.0.0.1:${http}/api/v1/namespaces/default/workflows/forged`,
          {
            method: 'POST',
            headers: { host, 'content-type': 'text/plain', origin: 'https://evil.example' },
            body: JSON.stringify({
              workflowType: { name: 'organizationDeletion' },
              taskQueue: { name: TASK_QUEUE },
              input: { payloads: [{ metadata: { encoding }, data }] },
            }),
          },
        );
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }
    } finally {
      await server.stop(5_000);
    }
  });
});
