import { describe, expect, test } from 'bun:test';
import { runCli } from '../../src/admin/cli.ts';
import { COMMANDS } from '../../src/admin/commands/index.ts';
import { replaceSession } from '../../src/modules/preview/queries.ts';
import { type RunLimits, runSession } from '../../src/modules/preview/run.ts';
import {
  reconcilePreviews,
  removePreview,
  setPreviewRunner,
} from '../../src/modules/preview/session.ts';
import { newId } from '../../src/shared/ids.ts';
import { deleteRowsOfApp } from '../support/app-rows.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
} from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: { PREVIEW_ISOLATION: 'none' },
});
const { deps } = service;
const ctx = { deps, requestId: 'test' };
const org = await createTestOrg(service);
const worker = await startTestWorker(deps, temporal);

const ask = (appId: string, method = 'GET', headers: Record<string, string> = org.key) =>
  service.call(`/v1/apps/${appId}/preview`, { method, headers });
const phase = async (appId: string) => (await ask(appId)).body.phase;
const reaches = (appId: string, wanted: string) =>
  until(`${appId} is ${wanted}`, async () => (await phase(appId)) === wanted);

async function appWith(command: string | null, owner = org) {
  const { appId } = await createTestApp(service, owner.orgId);
  if (command !== null) await setPreviewRunner(ctx, { appId, command });
  return appId;
}

const say = (preview: unknown) => `echo '${JSON.stringify({ preview })}'`;
const READY = say({
  phase: 'ready',
  webUrl: 'http://localhost:8081',
  expoUrl: 'exp://x',
  version: 2,
});
const SERVE = `${say({ phase: 'installing' })}; ${READY}; sleep 300`;

const NONE = {
  phase: 'stopped',
  ready: false,
  webUrl: null,
  expoUrl: null,
  version: null,
  errors: [],
  error: null,
  startedAt: null,
};

const workflowOf = async (appId: string) => {
  const [row] = await deps.sql`SELECT session_id FROM preview_sessions WHERE app_id = ${appId}`;
  return `previewSession/${appId}/${row?.session_id}`;
};

describe('a preview session', () => {
  test('without a runner is not available, and starting it does nothing', async () => {
    const appId = await appWith(null);
    expect((await ask(appId)).body).toEqual({ available: false, ...NONE });
    expect((await ask(appId, 'POST')).body).toEqual({ available: false, ...NONE });
    expect((await ask(appId, 'DELETE')).body).toEqual({ available: false, ...NONE });
  });

  test('goes through the phases, and stops when asked to', async () => {
    const appId = await appWith(SERVE);
    expect((await ask(appId)).body).toEqual({ available: true, ...NONE });
    const started = await ask(appId, 'POST');
    expect(started.body).toMatchObject({ available: true, phase: 'starting', ready: false });
    expect(started.body.startedAt).toEqual(expect.any(String));
    await reaches(appId, 'ready');
    const ready = await ask(appId);
    expect(ready.body).toMatchObject({
      ready: true,
      webUrl: 'http://localhost:8081',
      expoUrl: 'exp://x',
      version: 2,
      error: null,
    });
    expect((await ask(appId, 'POST')).body).toEqual(ready.body);
    expect((await ask(appId, 'DELETE')).body).toMatchObject({ phase: 'stopping', webUrl: null });
    expect((await ask(appId, 'POST')).status).toBe(409);
    await reaches(appId, 'stopped');
    expect((await ask(appId)).body).toMatchObject({ error: null, ready: false });
    await keepHistory(temporal.client, await workflowOf(appId), 'preview-session/stopped');
    const again = await ask(appId, 'POST');
    expect(again.body.phase).toBe('starting');
    await reaches(appId, 'ready');
    await ask(appId, 'DELETE');
    await reaches(appId, 'stopped');
  });

  test('that crashes says so with its last lines', async () => {
    const appId = await appWith(
      `${say({ errors: ['Unexpected token'] })}; echo 'cannot find module' >&2; exit 7`,
    );
    await ask(appId, 'POST');
    await reaches(appId, 'error');
    const { body } = await ask(appId);
    expect(body.error).toBe('The runner ended with code 7.\ncannot find module');
    expect(body.errors).toEqual(['Unexpected token']);
    expect((await ask(appId, 'DELETE')).body).toMatchObject({ phase: 'stopped', error: null });
    await ask(appId, 'POST');
    await reaches(appId, 'error');
  });

  test('is started once, however many ask', async () => {
    const appId = await appWith(`echo started >> count; ${SERVE}`);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(appId, 'POST')));
    expect(new Set(answers.map((answer) => answer.body.startedAt)).size).toBe(1);
    await reaches(appId, 'ready');
    const count = await Bun.file(`${deps.config.dataDir}/previews/${appId}/count`).text();
    expect(count).toBe('started\n');
    await ask(appId, 'DELETE');
    await reaches(appId, 'stopped');
  });

  test('at most three of an organization run at once', async () => {
    const owner = await createTestOrg(service);
    const apps = [];
    for (let index = 0; index < 4; index += 1) apps.push(await appWith(SERVE, owner));
    const answers = [];
    for (const appId of apps) answers.push(await ask(appId, 'POST', owner.key));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 409]);
    for (const appId of apps) await ask(appId, 'DELETE', owner.key);
    for (const appId of apps) {
      await until('stopped', async () => {
        const { body } = await ask(appId, 'GET', owner.key);
        return body.phase === 'stopped';
      });
    }
  });

  test('of an app that is deleted ends first, then everything of it goes', async () => {
    const appId = await appWith(SERVE);
    const scope = { orgId: org.orgId, appId };
    await ask(appId, 'POST');
    await reaches(appId, 'ready');
    await expect(removePreview(ctx, scope)).rejects.toThrow('stopping');
    await until('it is removed', () =>
      removePreview(ctx, scope).then(
        () => true,
        () => false,
      ),
    );
    await deleteRowsOfApp(deps, scope);
    expect((await ask(appId)).body).toEqual({ available: false, ...NONE });
  });
});

describe('limits', () => {
  const limits: RunLimits = {
    untilReadyMs: 60_000,
    wholeMs: 60_000,
    outputBytes: 1_000_000,
    pollMs: 30,
  };
  type Watch = (limits: RunLimits, appId: string) => Promise<void>;
  async function run(
    command: string,
    changed: Partial<RunLimits>,
    { signal, watch }: { signal?: AbortSignal; watch?: Watch } = {},
  ) {
    const own = { ...limits, ...changed };
    const appId = await appWith(command);
    const scope = { orgId: org.orgId, appId, sessionId: newId('prv') };
    await deps.sql.begin((tx) => replaceSession(tx, scope, deps.clock()));
    let beats = 0;
    await runSession(ctx, {
      ...scope,
      heartbeat: () => {
        beats += 1;
        void watch?.(own, appId);
      },
      signal: signal ?? new AbortController().signal,
      limits: own,
    });
    const { body } = await ask(appId);
    return { ...body, beats };
  }

  test('one that does not get ready in time is ended', async () => {
    const session = await run('sleep 300', { untilReadyMs: 1_000 });
    expect(session).toMatchObject({ phase: 'error', error: expect.stringContaining('ready') });
    expect(session.beats).toBeGreaterThan(1);
  });

  test('one that is ready may go on until the limit of the whole', async () => {
    let wentOn = 0;
    const watch: Watch = async (own, appId) => {
      if ((await phase(appId)) !== 'ready') return;
      own.untilReadyMs = 0;
      wentOn += 1;
      if (wentOn > 3) own.wholeMs = 0;
    };
    const session = await run(SERVE, { untilReadyMs: 600_000, wholeMs: 600_000 }, { watch });
    expect(wentOn).toBeGreaterThan(3);
    expect(session).toMatchObject({ phase: 'error', error: expect.stringContaining('time limit') });
  });

  test('too much output', async () => {
    const session = await run('yes', { outputBytes: 10_000 });
    expect(session).toMatchObject({ phase: 'error', error: expect.stringContaining('output') });
  });

  test('a worker that shuts down ends its runners', async () => {
    const session = await run(SERVE, {}, { signal: AbortSignal.timeout(200) });
    expect(session).toMatchObject({ phase: 'error', error: expect.stringContaining('restarted') });
  });
});

describe('sessions that were lost', () => {
  test('nobody reports on them: they are over', async () => {
    const appId = await appWith(SERVE);
    const scope = { orgId: org.orgId, appId, sessionId: newId('prv') };
    await deps.sql.begin((tx) => replaceSession(tx, scope, deps.clock()));
    await reconcilePreviews(deps);
    expect(await phase(appId)).toBe('starting');
    await deps.sql`
      UPDATE preview_sessions SET updated_at = now() - interval '3 minutes'
      WHERE app_id = ${appId}`;
    await reconcilePreviews(deps);
    expect((await ask(appId)).body).toMatchObject({
      phase: 'error',
      error: 'The session was lost.',
    });
  });

  test('a worker that stops ends the session, and its workflow', async () => {
    const appId = await appWith(SERVE);
    await ask(appId, 'POST');
    await reaches(appId, 'ready');
    await worker.stop();
    expect(await phase(appId)).toBe('error');
  });
});

test('a session whose worker is lost gets its end from the workflow', async () => {
  const replaced = await startTestWorker(deps, temporal, {
    runPreview: () => Promise.reject(new Error('killed')),
  });
  const appId = await appWith(SERVE);
  await ask(appId, 'POST');
  await reaches(appId, 'error');
  expect((await ask(appId)).body.error).toBe('The host of the runner went away.');
  await keepHistory(temporal.client, await workflowOf(appId), 'preview-session/lost');
  await replaced.stop();
});

describe('who may', () => {
  test('seeing needs app: read, starting and stopping app: update', async () => {
    const appId = await appWith(null);
    const reader = await createTestKey(service, org, ['app:read']);
    const updater = await createTestKey(service, org, ['app:update']);
    const statuses = async (headers: Record<string, string>) => {
      const answers = [];
      for (const method of ['GET', 'POST', 'DELETE'])
        answers.push(await ask(appId, method, headers));
      return answers.map((answer) => answer.status);
    };
    expect(await statuses(reader)).toEqual([200, 403, 403]);
    expect(await statuses(updater)).toEqual([403, 200, 200]);
    expect(await statuses({})).toEqual([401, 401, 401]);
    expect(await statuses((await createTestOrg(service)).key)).toEqual([404, 404, 404]);
  });

  test('the command is set by the operator’s command only', async () => {
    const appId = await appWith(null);
    const admin = async (...argv: string[]) => {
      const out: string[] = [];
      const terminal = {
        out: (text: string) => out.push(text),
        err: (text: string) => out.push(text),
      };
      const connect = async () => ({ ctx, close: async () => {} });
      return { code: await runCli(COMMANDS, argv, { terminal, connect }), text: out.join('\n') };
    };
    const set = await admin('preview', 'set', '--app', appId, '--command', 'npx expo start --web');
    expect([set.code, set.text]).toEqual([0, 'The runner is: npx expo start --web']);
    expect((await ask(appId)).body.available).toBe(true);
    expect((await admin('preview', 'set', '--app', appId)).code).toBe(0);
    expect((await ask(appId)).body.available).toBe(false);
    expect((await admin('preview', 'set', '--app', 'app_no', '--command', 'x')).code).toBe(1);
  });
});
