import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { createSql } from '../../src/storage/postgres.ts';
import { type OwnServers, startOwnServers } from '../support/own-servers.ts';
import { until } from '../support/until.ts';
import { clientOf } from './client.ts';
import { archivePath, type Facts, factsPath, type Mode, type OpenRun } from './facts.ts';
import {
  connectStore,
  leaveInvitations,
  makeApp,
  makeOwner,
  makePurchases,
  monthOfEvents,
  notify,
  runExperiment,
  sendAll,
  tellThings,
  writeLogs,
} from './fill.ts';
import {
  holdMaintenance,
  leaveRunsAtTheirStart,
  leaveRunsInTheMiddle,
  subscribe,
} from './open-runs.ts';
import { pack } from './pack.ts';
import { answerReads, listReads } from './reads.ts';
import { killAll, type Release, releaseAt } from './release.ts';
import { newKeys, startWorld, type World } from './world.ts';

const say = (text: string) => console.log(text);

async function openRuns(servers: OwnServers): Promise<OpenRun[]> {
  const connection = await Connection.connect({ address: servers.env.TEMPORAL_ADDRESS ?? '' });
  const client = new TemporalClient({ connection, namespace: 'default' });
  const runs: OpenRun[] = [];
  for await (const run of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    runs.push({ workflowId: run.workflowId, runId: run.runId, type: run.type });
  }
  await connection.close();
  return runs.toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
}

/** Whether the file maintenance is at a job, and so at the lock. */
async function isMaintenanceHeld(servers: OwnServers): Promise<boolean> {
  const connection = await Connection.connect({ address: servers.env.TEMPORAL_ADDRESS ?? '' });
  try {
    const client = new TemporalClient({ connection, namespace: 'default' });
    const { raw } = await client.workflow.getHandle('eventMaintenance').describe();
    const pending = raw.pendingActivities ?? [];
    return pending.some(({ activityType }) => activityType?.name === 'runEventJob');
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

type Made = Omit<Facts, 'release' | 'mode' | 'madeAt' | 'env' | 'keys' | 'rootPem' | 'openRuns'>;

/** The first life of the installation: everything runs; ended by SIGKILL with work under way. */
async function fill(release: Release, servers: OwnServers, world: World) {
  const instance = await release.start();
  const client = clientOf(instance.url);
  const owner = await makeOwner(release, client, 'fixture');
  const invitations = await leaveInvitations(release, client, world, owner);
  const app = await connectStore(client, world, owner);
  say('  the store is connected');
  const forEver = ['--events', '0', '--logs', '0', '--notifications', '0'];
  await release.admin('retention', '--app', app.appId, ...forEver);
  const secrets = await subscribe(client, world, owner, app);
  const { refunded } = await makePurchases(client, world, app);
  const [first, second] = monthOfEvents();
  await sendAll(client, app.device, first);
  await release.admin('events', 'compact');
  await sendAll(client, app.device, second);
  await runExperiment(client, owner, app);
  await writeLogs(client, owner, app.appId);
  await tellThings(client, world, owner, app.appId);
  const doomedAppId = await makeApp(client, owner.org, 'doomed-app');
  const [doomed, verifying] = [
    await makeOwner(release, client, 'doomed'),
    await makeOwner(release, client, 'verifying'),
  ];
  await makeApp(client, doomed.org, 'doomed-with-it');
  say('  events, purchases, experiment and logs are there');
  await notify(client, world, app, refunded);
  const middle = await leaveRunsInTheMiddle(release, client, world, owner);
  const path = `/v1/apps/${app.appId}/people/exposed-0`;
  const giveBack = await holdMaintenance(instance, servers.env.DATABASE_URL, () =>
    client.call('DELETE', path, owner.org),
  );
  await until('the maintenance is under way', () => isMaintenanceHeld(servers));
  await killAll(instance);
  await giveBack();
  say('  killed with runs under way');
  return { owner, app, invitations, secrets, middle, doomedAppId, doomed, verifying, first };
}

/** The second life has no worker and no compactor, so what begins in it stays at its start. */
async function leaveTheRest(
  release: Release,
  world: World,
  filled: Awaited<ReturnType<typeof fill>>,
): Promise<Made> {
  const { owner, app, doomed, doomedAppId, verifying, middle, first } = filled;
  const instance = await release.start('api,query');
  const client = clientOf(instance.url);
  const left = await leaveRunsAtTheirStart(client, world, owner, app, {
    doomedAppId,
    doomed,
    verifying,
  });
  const last = {
    events: Array.from({ length: 40 }, (_, index) => ({
      id: `unsealed-${index}`,
      name: index % 2 === 0 ? 'app_opened' : 'purchase_completed',
      anonymousId: `unsealed-${index >> 1}`,
      ts: new Date(Date.now() - 1_000 + index).toISOString(),
    })),
    context: { platform: 'ios' },
  };
  await sendAll(client, app.device, [last]);
  const reads = await answerReads(client, await listReads(client, owner, app));
  // Written again, so that a segment is open when the process dies.
  await sendAll(client, app.device, [last]);
  await killAll(instance);
  return {
    orgId: owner.orgId,
    appId: app.appId,
    bundleId: app.bundleId,
    org: owner.org,
    device: app.device,
    session: owner.session,
    ...filled.invitations,
    ...filled.secrets,
    backends: middle.backends,
    previewAppId: middle.previewAppId,
    provisioningAppId: left.provisioningAppId,
    deletedAppId: doomedAppId,
    deletedOrgId: doomed.orgId,
    backfillOrgId: middle.backfillOrgId,
    verifyingOrgId: verifying.orgId,
    notificationUserId: 'notified',
    batches: [...first.slice(0, 2), last],
    reads,
  };
}

/** Tokens and sessions would run out long before the last release that has to honour them. */
async function outlast(databaseUrl: string): Promise<void> {
  const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'fixture' });
  for (const table of ['session', 'verification', 'invitation']) {
    await sql.unsafe(
      `UPDATE auth.${table} SET "expiresAt" = '2099-01-01' WHERE "expiresAt" > now()`,
    );
  }
  await sql.end();
}

/** Makes the fixture of one mode from the release's code in `root`. */
export async function makeFixture(root: string, name: string, mode: Mode): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'fixture-'));
  const world = await startWorld(newKeys(), dir);
  const servers = await startOwnServers(join(dir, 'servers'));
  const settings = { TEMPORAL_PAYLOADS: mode };
  const env = { ...servers.env, ...world.env, ...settings };
  const dataDir = join(dir, 'data');
  const release = releaseAt(root, dataDir, env);
  try {
    say(`${name}, ${mode}:`);
    const filled = await fill(release, servers, world);
    const made = await leaveTheRest(release, world, filled);
    const runs = await openRuns(servers);
    await outlast(servers.env.DATABASE_URL);
    const { AUTH_SECRET = '', SECRETS_KEY = '' } = servers.env;
    const facts: Facts = {
      release: name,
      mode,
      madeAt: new Date().toISOString(),
      env: { AUTH_SECRET, SECRETS_KEY, ...settings },
      keys: world.keys,
      rootPem: world.storeServer.pki.rootPem,
      ...made,
      openRuns: runs,
    };
    await servers.temporal.kill();
    const archive = archivePath(name, mode);
    await mkdir(dirname(archive), { recursive: true });
    await pack({ dir, dataDir, databaseUrl: servers.env.DATABASE_URL, archive });
    await Bun.write(factsPath(name, mode), `${JSON.stringify(facts, null, 1)}\n`);
    say(`  ${runs.length} open runs, ${made.reads.length} answers`);
  } finally {
    await servers.postgres.kill();
    await servers.temporal.kill();
    await world.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
