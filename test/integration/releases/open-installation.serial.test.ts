import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { type Client, clientOf } from '../../release-fixture/client.ts';
import { MODES } from '../../release-fixture/facts.ts';
import { type OpenedFixture, openFixture } from '../../release-fixture/open.ts';
import { askedInUtc, lasting } from '../../release-fixture/reads.ts';
import { RELEASES } from '../../release-fixture/releases.ts';
import { type Runs, watchRuns } from '../../release-fixture/runs.ts';
import { startWorld, type World } from '../../release-fixture/world.ts';
import { addProject, setHealth } from '../../simulators/backend/state.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { cookieOf } from '../../support/people.ts';
import { type TestDatabase, testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { until } from '../../support/until.ts';

const NEW_PASSWORD = 'another password of the fixture';

/** The oldest release, encrypted; with full counts every release in both ways. */
const CASES = await Promise.all(
  (isFullRun ? RELEASES : RELEASES.slice(0, 1)).flatMap((release) =>
    MODES.filter((mode) => isFullRun || mode === 'encrypted').map(async (mode) => ({
      release,
      mode,
      database: await testDatabase(),
    })),
  ),
);

/** They go on for as long as there is something to do, or wait for an outside system. */
const GO_ON = new Set(['storeSync', 'purchaseRecovery', 'ratesRefresh', 'eventMaintenance']);
const ENDED_WELL = new Set(['COMPLETED', 'CONTINUED_AS_NEW']);

const COUNTED = { 'funnel Buying': true, 'funnel Onboarding': true, 'a person': true };

/** Answers may have grown by fields since; what they said before they still say. */
function expectSame(name: string, answer: unknown, before: unknown): void {
  expect({ name, answer: lasting(name, answer) }).toMatchObject({
    name,
    answer: lasting(name, before),
  });
}

/**
 * The identities of events are remembered for eight days, and the fixture is older: without this
 * nobody would read its runs of keys again.
 */
async function keepIdentities({ sql }: TestDatabase): Promise<void> {
  await sql`UPDATE event_key_runs SET max_received_at = now() WHERE state = 'live'`;
}

/** Deliveries that were decided on and that nobody had started: rows of their own, once of an outbox. */
async function unstartedDeliveries({ sql }: TestDatabase): Promise<string[]> {
  const [marked] = await sql`
    SELECT 1 FROM information_schema.columns
    WHERE table_name = 'webhook_deliveries' AND column_name = 'run_ensured_at'`;
  const rows = marked
    ? await sql<{ id: string }[]>`
        SELECT delivery_id AS id FROM webhook_deliveries
        WHERE run_ensured_at IS NULL AND status = 'pending'`
    : await sql<{ id: string }[]>`
        SELECT input ->> 'deliveryId' AS id FROM outbox
        WHERE started_at IS NULL AND workflow_type = 'webhookDelivery'`;
  return rows.map(({ id }) => id);
}

/** What the customer changed on the way: their address is another one now. */
async function moveReceiver({ sql }: TestDatabase, { receiver }: World): Promise<void> {
  await sql`UPDATE webhooks SET url = ${`${receiver.url}/hook`}`;
  await sql`
    UPDATE purchase_settings SET forward_url = ${`${receiver.url}/forward`}
    WHERE forward_url IS NOT NULL`;
}

/** The world as it was left, and as it has become: what was looked for is there by now. */
async function findWorld({ facts }: OpenedFixture, dir: string, database: TestDatabase) {
  const world = await startWorld(facts.keys, dir, facts.rootPem);
  world.receiver.status = 200;
  world.storeServer.addApp(facts.bundleId);
  for (const { appId, ref } of facts.backends) {
    const [row] = await database.sql<{ name: string }[]>`
      SELECT name FROM backend_projects WHERE app_id = ${appId}`;
    const name = row?.name ?? '';
    const project = addProject(world.backend.state, ref === null ? { name } : { name, ref });
    setHealth(project, 'ACTIVE_HEALTHY');
  }
  await moveReceiver(database, world);
  await keepIdentities(database);
  return world;
}

describe.each(CASES)('what release $release left, $mode', ({ release, mode, database }) => {
  const dir = mkdtempSync(join(tmpdir(), 'opened-'));
  let fixture: OpenedFixture;
  let world: World;
  let instance: Instance;
  let client: Client;
  let runs: Runs;
  let waiting: string[];
  const ending: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    fixture = await openFixture(release, mode, { dir, database });
    const { address, server } = await fixture.startTemporal();
    ending.push(() => server.stop(5_000));
    waiting = await unstartedDeliveries(database);
    world = await findWorld(fixture, dir, database);
    ending.push(() => world.stop());
    instance = await startInstance({
      dataDir: fixture.dataDir,
      env: {
        ...fixture.facts.env,
        ...world.env,
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: address,
      },
    });
    ending.push(() => instance.stop());
    client = clientOf(instance.url);
    runs = await watchRuns(address);
    ending.push(() => runs.close());
  });
  afterAll(async () => {
    for (const end of ending.toReversed()) await end();
    await rm(dir, { recursive: true, force: true });
  });

  test('gives every figure unchanged', async () => {
    for (const { name, path, headers, answer } of fixture.facts.reads) {
      const { body } = await client.call('GET', askedInUtc(name, path), headers);
      expectSame(name, body, answer);
    }
  });

  test('measures in an experiment everybody whose window has closed since', async () => {
    const read = fixture.facts.reads.find(({ name }) => name === 'experiment report');
    const { body } = await client.call('GET', read?.path ?? '', read?.headers ?? {});
    const closesAt = Date.parse(fixture.facts.madeAt) + body.measured.windowHours * 3_600_000;
    const isClosed = closesAt < Date.now();
    const [conversion] = body.measured.metrics;
    expect(conversion.arms.map(({ armId }: { armId: string }) => armId)).toEqual(
      body.arms.map(({ id }: { id: string }) => id),
    );
    if (!isClosed) return;
    const figures = (arms: any[]) => arms.map(({ people }) => people);
    expect(figures(conversion.arms)).toEqual(figures(body.arms));
    expect(conversion.arms.map(({ total }: { total: number }) => total)).toEqual(
      body.arms.map(({ converted }: { converted: number }) => converted),
    );
  });

  test('gives people the arm that they had, in the same bytes, and exposes nobody again', async () => {
    const { reads, device } = fixture.facts;
    const answered = (name: string): any => reads.find((read) => read.name === name)?.answer;
    const experiment = answered('experiment');
    const person = reads.find(({ name }) => name === 'a person');
    const exposuresOf = async (id: string): Promise<any[]> => {
      const path = (person?.path ?? '').replace('exposed-6', id);
      const { body } = await client.call('GET', path, person?.headers ?? {});
      return body.events.filter(({ name }: { name: string }) => name === '$exposure');
    };
    for (let n = 1; n <= 12; n += 1) {
      const anonymousId = `exposed-${n}`;
      const before = await exposuresOf(anonymousId);
      const arm = experiment.arms.find(({ id }: { id: string }) => id === before[0]?.props.arm);
      const { id, name, config } = answered('onboardings').find(
        (one: { id: string }) => one.id === arm.onboardingId,
      );
      const url = `${instance.url}/v1/experiments?anonymousId=${anonymousId}`;
      expect(await (await fetch(url, { headers: device })).text()).toBe(
        JSON.stringify({
          onboarding: { id, name, config },
          arm: {
            experimentId: experiment.id,
            experimentName: experiment.name,
            armId: arm.id,
            armName: arm.name,
          },
        }),
      );
      expect(await exposuresOf(anonymousId)).toEqual(before);
      expect(before).toHaveLength(1);
    }
  });

  test('takes the same events again without counting them', async () => {
    const { batches, reads, device } = fixture.facts;
    for (const batch of batches) await client.call('POST', '/v1/events', device, batch);
    for (const { name, path, headers, answer } of reads.filter((one) => one.name in COUNTED)) {
      const { body } = await client.call('GET', askedInUtc(name, path), headers);
      expectSame(name, body, answer);
    }
  });

  test('goes on with every run that was open', async () => {
    const open = new Set(fixture.facts.openRuns.map(({ workflowId }) => workflowId));
    expect(open.size).toBeGreaterThan(0);
    await until('every open run has ended or goes on', async (saw) => {
      for (const run of fixture.facts.openRuns) {
        const { status, failedTasks } = await runs.stateOf(run);
        expect([run.workflowId, failedTasks]).toEqual([run.workflowId, []]);
        if (ENDED_WELL.has(status)) open.delete(run.workflowId);
        else expect([run.workflowId, status]).toEqual([run.workflowId, 'RUNNING']);
        if (GO_ON.has(run.type)) open.delete(run.workflowId);
      }
      saw([...open]);
      return open.size === 0;
    });
  });

  test('delivers what waited for its next attempt, signed with the sealed secrets', async () => {
    const { webhookSecret, forwardSecret } = fixture.facts;
    const secrets = { '/hook': webhookSecret, '/forward': forwardSecret };
    for (const [path, secret] of Object.entries(secrets)) {
      const sent = await until(`${path} has come`, async () =>
        world.receiver.received.find((one) => one.path === path),
      );
      const headers = Object.fromEntries(sent.headers);
      expect(new Webhook(secret).verify(sent.body, headers)).toBeDefined();
    }
  });

  test('delivers once what its outbox held and nobody had started', async () => {
    expect(waiting.length).toBeGreaterThan(0);
    for (const id of waiting) {
      await until(`${id} is delivered`, async (saw) => {
        const [row] = await database.sql`
          SELECT status FROM webhook_deliveries WHERE delivery_id = ${id}`;
        saw(row);
        return row?.status === 'delivered';
      });
      const posts = world.receiver.received.filter((one) => one.headers.get('webhook-id') === id);
      expect(posts).toHaveLength(1);
    }
    const left = await database.sql`
      SELECT 1 FROM outbox WHERE started_at IS NULL AND workflow_type <> 'webhookDelivery'`;
    expect(left).toHaveLength(0);
  });

  test('finishes what was begun for apps and organizations', async () => {
    const { facts } = fixture;
    const { body: app } = await client.call(
      'GET',
      `/v1/apps/${facts.provisioningAppId}`,
      facts.org,
    );
    expect(app.status).toBe('active');
    const { body: preview } = await client.call(
      'GET',
      `/v1/apps/${facts.previewAppId}/preview`,
      facts.org,
    );
    expect(preview.ready).toBe(false);
    const left = await database.sql`
      SELECT app_id FROM apps WHERE app_id = ${facts.deletedAppId} OR org_id = ${facts.deletedOrgId}`;
    expect(left).toHaveLength(0);
    const backends = await database.sql`
      SELECT health FROM backend_projects WHERE app_id = ANY(${facts.backends.map((one) => one.appId)})`;
    expect(backends.map(({ health }) => health)).toEqual(['healthy', 'healthy']);
  });

  test('has actors that answer', async () => {
    const { org } = fixture.facts;
    await until('the history is whole', async (saw) => {
      const { body } = await client.call('POST', '/v1/analytics/sync', org, {});
      saw(body);
      return body.daysRemaining === 0;
    });
  });

  test('knows sessions, invitations and reset tokens', async () => {
    const { facts } = fixture;
    const post = (route: string, body: unknown, headers = {}) =>
      client.call('POST', `/v1/auth/${route}`, headers, body);
    const { email, resetToken } = facts.password;
    await post('reset-password', { token: resetToken, newPassword: NEW_PASSWORD });
    expect((await post('sign-in/email', { email, password: NEW_PASSWORD })).status).toBe(200);
    const newcomer = { password: NEW_PASSWORD, name: 'New' };
    for (const invitation of [facts.signUpInvitation, facts.memberInvitation]) {
      const { email: address, id: invitationId } = invitation;
      await post('sign-up/email', { ...newcomer, email: address, invitationId });
    }
    const invited = { email: facts.memberInvitation.email, password: NEW_PASSWORD };
    const { headers } = await post('sign-in/email', invited);
    const accepted = { invitationId: facts.memberInvitation.id };
    await post('organization/accept-invitation', accepted, cookieOf(headers)).catch((thrown) => {
      // Signing up with an invitation may have joined the organization by itself.
      expect(String(thrown)).toContain('404');
    });
    const { body } = await client.call('GET', '/v1/auth/organization/list-members', facts.session);
    const members = Array.isArray(body) ? body : body.members;
    const addresses = members.map((member: any) => member.email ?? member.user?.email);
    expect(addresses).toContain(facts.memberInvitation.email);
  });
});
