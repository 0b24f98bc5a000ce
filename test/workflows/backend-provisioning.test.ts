import { beforeEach, describe, expect, test } from 'bun:test';
import { runCli } from '../../src/admin/cli.ts';
import { COMMANDS } from '../../src/admin/commands/index.ts';
import { assignBackend, reconcileBackends } from '../../src/modules/backend/assign.ts';
import { PASSWORD_PURPOSE } from '../../src/modules/backend/claim.ts';
import { releaseBackend, searchBackend } from '../../src/modules/backend/provision.ts';
import { detachBackend, selectOfApp } from '../../src/modules/backend/queries.ts';
import { createBackendProvider } from '../../src/providers/backend/client.ts';
import { backendProvisioningContract } from '../../src/temporal/contracts/backend.ts';
import { startBackendSimulator } from '../simulators/backend/simulator.ts';
import { addProject, newRef, setHealth } from '../simulators/backend/state.ts';
import { type Fault, HTML_500 } from '../simulators/kit/faults.ts';
import { forge, grpcDoor } from '../support/forgery/doors.ts';
import { keepHistory } from '../support/history.ts';
import { testFull } from '../support/left-out.ts';
import { openGate } from '../support/open-gate.ts';
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
const database = await testDatabase();
const sim = await startBackendSimulator();
const service = await startTestService(database, {
  temporal,
  with: (deps) => ({
    backendProvider: createBackendProvider({
      baseUrl: sim.url,
      token: 'sbp_sim',
      organization: 'simulatedorganization',
      gate: openGate,
      clock: deps.clock,
      timeoutMs: 2_000,
    }),
  }),
});
const unconfigured = await startTestService(database, { temporal });
const { deps } = service;
const ctx = { deps, requestId: 'test' };
const org = await createTestOrg(service);
await startTestWorker(deps, temporal);

beforeEach(() => {
  sim.faults.clear();
  // The provider's minute ends with each test, or a slow machine would meet its limit by chance.
  sim.state.used = null;
  sim.state.unknownProjectStatus = 404;
});

const newApp = async () => (await createTestApp(service, org.orgId)).appId;
const connect = (appId: string, body?: unknown, headers: Record<string, string> = org.key) =>
  service.call(`/v1/apps/${appId}/backend`, {
    method: 'POST',
    headers,
    ...(body !== undefined && { body }),
  });
const scopeOf = (appId: string) => ({ orgId: org.orgId, appId });
const runOf = (appId: string) => backendProvisioningContract.workflowId(scopeOf(appId));
const recordOf = (appId: string) => selectOfApp(deps.sql, scopeOf(appId));
const projectsOf = (appId: string) =>
  [...sim.state.projects.values()].filter((project) => project.name.endsWith(appId));
const CREATE = { match: /^POST/ };

describe('a project of the app’s own', () => {
  test('is made, shown on the app, and watched until it is healthy', async () => {
    const appId = await newApp();
    const answer = await connect(appId);
    const [project] = projectsOf(appId);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      appId,
      projectRef: project?.ref,
      url: `https://${project?.ref}.supabase.co`,
      connected: true,
    });
    const app = await service.call(`/v1/apps/${appId}`, { headers: org.key });
    expect(app.body.backend).toEqual({ projectRef: project?.ref, connected: true });
    expect(project?.region).toBe(app.body.region);
    if (project) setHealth(project, 'ACTIVE_HEALTHY');
    await until('it is healthy', async () => (await recordOf(appId))?.health === 'healthy');
    await temporal.client.workflow.getHandle(runOf(appId)).result();
    await keepHistory(temporal.client, runOf(appId), 'backend-provisioning/created');
    expect(sim.violations).toEqual([]);
  });

  test('has a random password that is kept sealed and told to nobody', async () => {
    const [one, two] = [await newApp(), await newApp()];
    const answers = [await connect(one), await connect(two)];
    const passwords = [one, two].map((appId) => projectsOf(appId)[0]?.databasePassword ?? '');
    expect(passwords[0]).not.toBe(passwords[1]);
    const record = await recordOf(one);
    const scope = { orgId: org.orgId, purpose: PASSWORD_PURPOSE };
    expect(deps.secrets.open(scope, record?.sealedPassword ?? '')).toBe(passwords[0] ?? '');
    const history = await temporal.client.workflow.getHandle(runOf(one)).fetchHistory();
    const told = JSON.stringify([answers, record, history]);
    for (const password of passwords) expect(told).not.toContain(password);
  });

  test('asked for again is the same project', async () => {
    const appId = await newApp();
    const first = await connect(appId);
    const again = [await connect(appId), await connect(appId, {})];
    const byRef = await connect(appId, { existingProjectRef: first.body.projectRef });
    for (const answer of [...again, byRef]) {
      expect([answer.status, answer.body]).toEqual([201, first.body]);
    }
    expect(projectsOf(appId).length).toBe(1);
    const other = await connect(appId, { existingProjectRef: newRef() });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
  });

  test('asked for five times at once is one project', async () => {
    const appId = await newApp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => connect(appId)));
    expect(new Set(answers.map((answer) => answer.body.projectRef)).size).toBe(1);
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(projectsOf(appId).length).toBe(1);
  });
});

describe('an answer that got lost', () => {
  test('and that somebody else gives in its place is not passed on', async () => {
    const appId = await newApp();
    sim.faults.next({ kind: 'silent_after' }, CREATE);
    const door = grpcDoor(temporal.connection, temporal.namespace);
    const forged = { kind: 'connected', projectRef: newRef(), url: 'https://evil.example' };
    let isAnswered = false;
    const answering = connect(appId).finally(() => {
      isAnswered = true;
    });
    await until('it is answered', async () => {
      for (const activityId of ['1', '2', '3', '4', '5', '6']) {
        await door.send(forge.complete(runOf(appId), activityId, forged));
      }
      return isAnswered;
    });
    const { status, text } = await answering;
    expect(text).not.toContain('evil.example');
    expect([status, (await recordOf(appId))?.url ?? null]).not.toContain('https://evil.example');
  });

  test('a creation that times out after it succeeded is found by its name', async () => {
    const appId = await newApp();
    sim.faults.next({ kind: 'silent_after' }, CREATE);
    const answer = await connect(appId);
    expect(answer.status).toBe(201);
    expect(projectsOf(appId).map((project) => project.ref)).toEqual([answer.body.projectRef]);
    const [project] = projectsOf(appId);
    if (project) setHealth(project, 'ACTIVE_HEALTHY');
    await temporal.client.workflow.getHandle(runOf(appId)).result();
    await keepHistory(temporal.client, runOf(appId), 'backend-provisioning/answer-lost');
  });

  test('a project that does not show yet is not made a second time', async () => {
    const appId = await newApp();
    sim.faults.next({ kind: 'cut' }, CREATE);
    sim.faults.next(HTML_500, { times: 4, match: /^GET \/v1\/organizations/ });
    const first = await connect(appId);
    expect([first.status, first.body.error.code]).toEqual([502, 'provider_rejected']);
    expect(Number(first.headers.get('retry-after'))).toBe(30);
    const [hidden] = projectsOf(appId);
    sim.faults.clear();
    sim.state.hiddenFromSearch.add(hidden?.ref ?? '');
    expect((await connect(appId)).status).toBe(502);
    const elsewhere = await connect(appId, { existingProjectRef: await assigned() });
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([409, 'conflict']);
    sim.state.hiddenFromSearch.clear();
    const found = await connect(appId);
    expect([found.status, found.body.projectRef]).toEqual([201, hidden?.ref]);
    expect(projectsOf(appId).length).toBe(1);
  });

  test('nothing there after a long search: it may be asked for again, once', async () => {
    const appId = await newApp();
    const run = temporal.client.workflow.getHandle(runOf(appId));
    sim.faults.next({ kind: 'hang_up' }, CREATE);
    expect((await connect(appId)).status).toBe(502);
    expect(await searchBackend(ctx, scopeOf(appId))).toBeNull();
    // A creation may be under way that the provider does not list yet.
    await releaseBackend(ctx, scopeOf(appId));
    expect((await recordOf(appId))?.attemptedAt).not.toBeNull();
    await database.sql`
      UPDATE backend_projects SET attempted_at = now() - interval '10 minutes'
      WHERE app_id = ${appId}`;
    sim.faults.next(HTML_500, { match: /^GET \/v1\/organizations/ });
    await releaseBackend(ctx, scopeOf(appId));
    expect((await recordOf(appId))?.attemptedAt).not.toBeNull();
    await releaseBackend(ctx, scopeOf(appId));
    expect(await recordOf(appId)).toBeNull();
    expect((await connect(appId)).status).toBe(201);
    expect(projectsOf(appId).length).toBe(1);
    await run.terminate();
  });

  testFull('the workflow finds it by itself half a minute later', async () => {
    const appId = await newApp();
    sim.faults.next({ kind: 'cut' }, CREATE);
    sim.faults.next(HTML_500, { times: 3, match: /^GET \/v1\/organizations/ });
    expect((await connect(appId)).status).toBe(502);
    const [project] = projectsOf(appId);
    if (project) setHealth(project, 'ACTIVE_HEALTHY');
    await temporal.client.workflow.getHandle(runOf(appId)).result();
    expect(await recordOf(appId)).toMatchObject({ projectRef: project?.ref, health: 'healthy' });
    await keepHistory(temporal.client, runOf(appId), 'backend-provisioning/found-later');
  });

  test('a run that Temporal has lost goes on', async () => {
    const appId = await newApp();
    await connect(appId);
    await temporal.client.workflow.getHandle(runOf(appId)).terminate();
    await reconcileBackends(deps);
    const [project] = projectsOf(appId);
    if (project) setHealth(project, 'ACTIVE_HEALTHY');
    await until('it is healthy', async () => (await recordOf(appId))?.health === 'healthy');
  });
});

async function assigned(orgId = org.orgId): Promise<string> {
  const { ref } = addProject(sim.state, { name: `by-hand-${crypto.randomUUID()}` });
  await assignBackend(ctx, { orgId, projectRef: ref });
  return ref;
}

describe('a project that exists', () => {
  test('is connected once the provider has confirmed it', async () => {
    const appId = await newApp();
    const ref = await assigned();
    const answer = await connect(appId, { existingProjectRef: ref });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ projectRef: ref, connected: true });
    expect((await connect(appId)).body).toEqual(answer.body);
    await temporal.client.workflow.getHandle(runOf(appId)).terminate();
  });

  test.each([404, 403] as const)('that is gone at the provider (%d) is 404', async (status) => {
    const appId = await newApp();
    const ref = await assigned();
    sim.state.projects.delete(ref);
    sim.state.unknownProjectStatus = status;
    const answer = await connect(appId, { existingProjectRef: ref });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    await keepHistory(temporal.client, runOf(appId), 'backend-provisioning/not-found');
  });

  test.each([404, 403])('a gateway’s %d does not say that it is gone', async (code) => {
    const appId = await newApp();
    const ref = await assigned();
    // Other apps' projects are watched meanwhile: only this one's reading misbehaves.
    const match = new RegExp(`^GET /v1/projects/${ref}$`);
    sim.faults.next({ kind: 'status', status: code, body: '<html>' }, { match });
    const answer = await connect(appId, { existingProjectRef: ref });
    expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
  });

  test('of another organization, or of nobody, is the same 404 before anybody is asked', async () => {
    const appId = await newApp();
    const theirs = await assigned((await createTestOrg(service)).orgId);
    const unrecorded = addProject(sim.state, { name: 'unrecorded' }).ref;
    const before = sim.requests.length;
    const refs = [theirs, unrecorded, newRef(), 'nonsense'];
    const answers = [];
    for (const existingProjectRef of refs) {
      answers.push(await connect(appId, { existingProjectRef }));
    }
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(answers[0]?.text ?? '');
    }
    // Other apps' projects are watched meanwhile.
    const asked = sim.requests
      .slice(before)
      .filter((line) => refs.some((ref) => line.includes(ref)));
    expect(asked).toEqual([]);
  });

  test('belongs to one app at most, also when twenty ask at once', async () => {
    const apps = await Promise.all(Array.from({ length: 20 }, newApp));
    const body = { existingProjectRef: await assigned() };
    const answers = await Promise.all(apps.map((appId) => connect(appId, body)));
    const statuses = answers.map((answer) => answer.status).toSorted();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
    expect((await connect(await newApp(), body)).status).toBe(409);
  });

  test('stays the organization’s when its app is deleted, and can be used again', async () => {
    const [one, two] = [await newApp(), await newApp()];
    const { projectRef } = (await connect(one)).body;
    await temporal.client.workflow.getHandle(runOf(one)).terminate();
    await detachBackend(deps.sql, scopeOf(one));
    const again = await connect(two, { existingProjectRef: projectRef });
    expect([again.status, again.body.projectRef]).toEqual([201, projectRef]);
    await temporal.client.workflow.getHandle(runOf(two)).terminate();
  });

  test('an operator assigns it by a command', async () => {
    const { ref } = addProject(sim.state, { name: `by-hand-${crypto.randomUUID()}` });
    const out: string[] = [];
    const say = (text: string) => out.push(text);
    const code = await runCli(COMMANDS, ['backend', 'assign', '--org', org.orgId, '--ref', ref], {
      terminal: { out: say, err: say },
      connect: async () => ({ ctx, close: async () => {} }),
    });
    expect([code, out]).toEqual([0, [`${ref} may be used by ${org.orgId}.`]]);
    const [entry] = await deps.sql`
      SELECT actor_kind, org_id, changes -> 0 ->> 'of' AS of FROM audit_entries
      WHERE operation = 'backend assign'`;
    expect(entry).toEqual({ actor_kind: 'operator', org_id: org.orgId, of: 'backend_projects' });
    expect((await connect(await newApp(), { existingProjectRef: ref })).status).toBe(201);
  });

  test('an operator cannot assign what is unknown or taken', async () => {
    const ref = await assigned();
    const orgId = org.orgId;
    await expect(assignBackend(ctx, { orgId, projectRef: ref })).rejects.toThrow('already');
    await expect(assignBackend(ctx, { orgId, projectRef: newRef() })).rejects.toThrow('No such');
  });
});

describe('the provider’s failures', () => {
  const status = (code: number, headers: Record<string, string> = {}): Fault => ({
    kind: 'status',
    status: code,
    body: '{"message":"no"}',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const known: [string, Fault][] = [
    ['400', status(400)],
    ['401', status(401)],
    ['403', status(403)],
    ['404', status(404)],
    ['409', status(409)],
    ['429', status(429, { 'x-ratelimit-reset': '25' })],
  ];
  const unknown: [string, Fault][] = [
    ['500 with HTML', HTML_500],
    ['a hang-up', { kind: 'hang_up' }],
    ['a cut', { kind: 'cut' }],
    ['silence', { kind: 'silent' }],
    ['another JSON', { kind: 'body', body: '{"a":1}' }],
    ['HTML in a 200', { kind: 'body', body: '<html>' }],
  ];

  test.each(known)('creating: %s is 502, and the next time it is made', async (name, fault) => {
    const appId = await newApp();
    sim.faults.next(fault, CREATE);
    const answer = await connect(appId);
    expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
    if (name === '429') expect(answer.headers.get('retry-after')).toBe('25');
    expect((await connect(appId)).status).toBe(201);
    expect(projectsOf(appId).length).toBe(1);
    await temporal.client.workflow.getHandle(runOf(appId)).terminate();
  });

  test('creating: whatever leaves it open never leads to a second project', async () => {
    const answers = await Promise.all(
      unknown.map(async ([, fault]) => {
        const appId = await newApp();
        sim.faults.next(fault, CREATE);
        const { status } = await connect(appId);
        return { appId, status };
      }),
    );
    for (const { appId, status } of answers) {
      const made = projectsOf(appId).length;
      expect(made).toBeLessThanOrEqual(1);
      expect(status).toBe(made === 1 ? 201 : 502);
      await temporal.client.workflow.getHandle(runOf(appId)).terminate();
    }
  });

  test.each([...known.filter(([name]) => !/40[34]/.test(name)), ...unknown])(
    'attaching: %s is 502',
    async (_name, fault) => {
      const appId = await newApp();
      const existingProjectRef = await assigned();
      // Other apps' projects are watched meanwhile: only this one's reading misbehaves.
      const match = new RegExp(`^GET /v1/projects/${existingProjectRef}$`);
      // A connection that breaks is tried again below us too, so the fault outlasts every try.
      sim.faults.next(fault, { times: 30, match });
      const answer = await connect(appId, { existingProjectRef });
      expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
      sim.faults.clear();
      expect((await connect(appId, { existingProjectRef })).status).toBe(201);
      await temporal.client.workflow.getHandle(runOf(appId)).terminate();
    },
  );
});

describe('who may, and with what', () => {
  test('a key needs app: update, and the app has to be theirs', async () => {
    const appId = await newApp();
    const reader = await createTestKey(service, org, ['app:read']);
    expect((await connect(appId, {}, {})).status).toBe(401);
    expect((await connect(appId, {}, reader)).status).toBe(403);
    expect((await connect(appId, {}, (await createTestOrg(service)).key)).status).toBe(404);
    expect((await connect('app_unknown')).status).toBe(404);
  });

  test.each([[{ existingProjectRef: 7 }], [{ existingProjectRef: '' }], ['text'], [[]]])(
    '400 for %j',
    async (body) => {
      const answer = await connect(await newApp(), body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    },
  );

  test('503 while Temporal is away, but a connected app is answered', async () => {
    const away = await startTestService(database, {
      with: () => ({ backendProvider: deps.backendProvider }),
    });
    const ask = (appId: string) =>
      away.call(`/v1/apps/${appId}/backend`, { method: 'POST', headers: org.key });
    const refused = await ask(await newApp());
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const appId = await newApp();
    const connected = await connect(appId);
    expect([connected.status, connected.body]).toEqual([201, expect.anything()]);
    expect((await ask(appId)).status).toBe(201);
    await temporal.client.workflow.getHandle(runOf(appId)).terminate();
  });

  test('503 without secret storage, and nothing is written down', async () => {
    const appId = await newApp();
    const keyless = await startTestService(database, {
      temporal,
      env: { SECRETS_KEY: '' },
      with: () => ({ backendProvider: deps.backendProvider }),
    });
    const answer = await keyless.call(`/v1/apps/${appId}/backend`, {
      method: 'POST',
      headers: org.key,
    });
    expect(answer.status).toBe(503);
    expect({ kind: 'refused', ...answer.body.error }).toMatchObject({
      kind: 'refused',
      code: 'secret_storage_unavailable',
    });
    expect(await recordOf(appId)).toBeNull();
  });

  test('503 without a provider', async () => {
    const answer = await unconfigured.call(`/v1/apps/${await newApp()}/backend`, {
      method: 'POST',
      headers: org.key,
    });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'provider_not_configured']);
  });
});
