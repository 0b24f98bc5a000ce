import { createSql } from '../../src/storage/postgres.ts';
import { SimulatedSubscription } from '../simulators/store-server/subscription.ts';
import type { Instance } from '../support/instance.ts';
import { until } from '../support/until.ts';
import type { Client } from './client.ts';
import { type FixtureApp, makeApp, makeOwner, notify, type Owner } from './fill.ts';
import type { Release } from './release.ts';
import type { World } from './world.ts';
import { pause } from '../support/pause.ts';

const say = (preview: unknown) => `echo '${JSON.stringify({ preview })}'`;
const RUNNER = `${say({ phase: 'ready', webUrl: 'http://localhost:8081' })}; sleep 600`;
const ABANDONED_AFTER_MS = 3_000;

/** A project whose creation got no answer, and one that does not become healthy. */
async function leaveBackends(client: Client, world: World, { org }: Owner) {
  const [lost, slow] = [
    await makeApp(client, org, 'backend-lost'),
    await makeApp(client, org, 'backend-slow'),
  ];
  const creation = { match: /POST \/v1\/projects/ };
  world.backend.faults.next({ kind: 'hang_up' }, creation);
  const ask = (appId: string) => client.call('POST', `/v1/apps/${appId}/backend`, org, {});
  await ask(lost).catch(() => undefined);
  await ask(slow);
  const [project] = world.backend.state.projects.values();
  return [
    { appId: lost, name: '', ref: null },
    { appId: slow, name: project?.name ?? '', ref: project?.ref ?? null },
  ];
}

async function leavePreview(release: Release, client: Client, { org }: Owner): Promise<string> {
  const appId = await makeApp(client, org, 'previewed');
  await release.admin('preview', 'set', '--app', appId, '--command', RUNNER);
  await client.call('POST', `/v1/apps/${appId}/preview`, org);
  await until('the preview is ready', async () => {
    const { body } = await client.call('GET', `/v1/apps/${appId}/preview`, org);
    return body.phase === 'ready';
  });
  return appId;
}

/** Webhook and forward to an address that refuses everything. */
export async function subscribe(client: Client, world: World, owner: Owner, app: FixtureApp) {
  const { receiver } = world;
  const { body: hook } = await client.call('POST', '/v1/webhooks', owner.org, {
    url: `${receiver.url}/hook`,
    events: ['app.created', 'entitlement.changed'],
  });
  const path = `/v1/apps/${app.appId}/purchases/settings`;
  const { body: settings } = await client.call('PATCH', path, owner.org, {
    forwardUrl: `${receiver.url}/forward`,
  });
  return { webhookSecret: hook.secret as string, forwardSecret: settings.forwardSecret as string };
}

/** Runs in the middle of their work: each has done something and waits for the rest. */
export async function leaveRunsInTheMiddle(
  release: Release,
  client: Client,
  world: World,
  owner: Owner,
) {
  const backends = await leaveBackends(client, world, owner);
  const previewAppId = await leavePreview(release, client, owner);
  const refused = (path: string) =>
    until(`${path} was refused`, async () =>
      world.receiver.received.some((one) => one.path === path),
    );
  await refused('/hook');
  await refused('/forward');
  const backfill = await makeOwner(release, client, 'backfill');
  const { account } = world.store;
  const body = { ...world.keys.store, vendorNumber: account.vendorNumber };
  await client.call('POST', '/v1/store/connection', backfill.org, body);
  account.delayMs = 4_000;
  return { backends, previewAppId, backfillOrgId: backfill.orgId };
}

/**
 * Has a person erased, and holds the maintenance of event files at the lock that it needs; the
 * worker looks for what is due when it starts. Returns what gives the lock back.
 */
export async function holdMaintenance(
  instance: Instance,
  databaseUrl: string,
  erase: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'fixture' });
  await erase();
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`SELECT 1 FROM event_catalogue FOR UPDATE`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  process.kill(instance.children().worker ?? 0, 'SIGKILL');
  return async () => {
    release.resolve();
    await holding;
    await sql.end();
  };
}

/** With no worker: runs of which there is nothing but their beginning. */
export async function leaveRunsAtTheirStart(
  client: Client,
  world: World,
  owner: Owner,
  app: FixtureApp,
  prepared: { doomedAppId: string; doomed: Owner; verifying: Owner },
) {
  const { body: made } = await client.call('POST', '/v1/apps', owner.org, {
    slug: 'provisioning',
    displayName: 'Provisioning',
  });
  await client.call('DELETE', `/v1/apps/${prepared.doomedAppId}`, owner.org);
  const { session } = prepared.doomed;
  const { body: organizations } = await client.call('GET', '/v1/auth/organization/list', session);
  await client.call('DELETE', `/v1/organization?confirm=${organizations[0].slug}`, session);
  const bought = new SimulatedSubscription({
    bundleId: app.bundleId,
    environment: 'Production',
    start: Date.now() - 86_400_000,
    periodMs: 36_500 * 86_400_000,
    appAccountToken: crypto.randomUUID(),
  });
  await client.call('POST', '/v1/purchases/verify', app.device, {
    signedTransaction: world.storeServer.sign(bought.newest),
    userId: 'notified',
  });
  await notify(client, world, app, bought);
  const key = { ...world.keys.store, vendorNumber: world.store.account.vendorNumber };
  // Nobody answers without a worker; the run is there all the same.
  await Promise.race([
    client.call('POST', '/v1/store/connection', prepared.verifying.org, key).catch(() => undefined),
    pause(ABANDONED_AFTER_MS, 'nobody answers without a worker'),
  ]);
  return { provisioningAppId: made.id as string };
}
