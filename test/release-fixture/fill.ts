import { demoMonth } from '../../src/demo/month.ts';
import { SimulatedSubscription, toNotification } from '../simulators/store-server/subscription.ts';
import { toBatches } from '../support/demo-batches.ts';
import { cookieOf } from '../support/people.ts';
import { until } from '../support/until.ts';
import type { Client } from './client.ts';
import type { Headers } from './facts.ts';
import type { Release } from './release.ts';
import type { World } from './world.ts';

const PEOPLE = 160;
const EXPOSED_PEOPLE = 150;
const HUNDRED_YEARS_MS = 36_500 * 86_400_000;
const DAY_MS = 86_400_000;
const PASSWORD = 'a password of the fixture';

export type Owner = { orgId: string; org: Headers; session: Headers; email: string };

/** An organization as an operator makes it, and its owner signed in. */
export async function makeOwner(release: Release, client: Client, name: string): Promise<Owner> {
  const email = `${name}@example.com`;
  const options = ['--org', name, '--email', email, '--password', PASSWORD];
  const made = JSON.parse(await release.admin('bootstrap', ...options, '--json'));
  const answer = await client.call(
    'POST',
    '/v1/auth/sign-in/email',
    {},
    {
      email,
      password: PASSWORD,
    },
  );
  return {
    orgId: made.organizationId,
    org: { 'x-api-key': made.apiKey },
    session: cookieOf(answer.headers),
    email,
  };
}

/** Invitations and a reset that nobody has taken up. */
export async function leaveInvitations(
  release: Release,
  client: Client,
  world: World,
  { session }: Owner,
) {
  const member = 'invited@example.com';
  const invited = await client.call('POST', '/v1/auth/organization/invite-member', session, {
    email: member,
    role: 'member',
  });
  // With SMTP the secret is in the mail only.
  const secret =
    invited.body.id ?? /#id=([^\s&]+)/.exec((await world.smtp.mailTo(member)).text)?.[1];
  const signUp = 'signing-up@example.com';
  const invite = async (email: string) =>
    JSON.parse(await release.admin('sign-up', 'invite', '--email', email, '--json'));
  const forgetful = 'forgetful@example.com';
  await client.call(
    'POST',
    '/v1/auth/sign-up/email',
    {},
    {
      email: forgetful,
      password: PASSWORD,
      name: 'Forgetful',
      invitationId: (await invite(forgetful)).invitationId,
    },
  );
  await client.call('POST', '/v1/auth/request-password-reset', {}, { email: forgetful });
  const { text } = await world.smtp.mailTo(forgetful);
  return {
    password: { email: forgetful, resetToken: /[?&#]token=([^\s&]+)/.exec(text)?.[1] ?? '' },
    memberInvitation: { email: member, id: secret as string },
    signUpInvitation: { email: signUp, id: (await invite(signUp)).invitationId as string },
  };
}

export async function untilActive(client: Client, org: Headers, appId: string): Promise<void> {
  await until('the app is active', async () => {
    const { body } = await client.call('GET', `/v1/apps/${appId}`, org);
    return body.status === 'active';
  });
}

export async function makeApp(client: Client, org: Headers, slug: string): Promise<string> {
  const { body } = await client.call('POST', '/v1/apps', org, { slug, displayName: slug });
  await untilActive(client, org, body.id);
  return body.id;
}

/** A month of sales, then one of the store's apps as an app of ours with a key. */
export async function connectStore(client: Client, world: World, { org }: Owner) {
  const { store, purchases } = world.keys;
  const body = { ...store, vendorNumber: world.store.account.vendorNumber };
  await client.call('POST', '/v1/store/connection', org, body);
  await until('the sales are collected', async (saw) => {
    const { body } = await client.call('POST', '/v1/analytics/sync', org, {});
    saw(body);
    return body.daysRemaining === 0;
  });
  const [simulated] = world.store.account.apps;
  const storeAppId = simulated?.id;
  const bundleId = simulated?.bundleId ?? '';
  const { body: app } = await client.call('POST', '/v1/apps/import', org, { storeAppId });
  await untilActive(client, org, app.id);
  const { body: key } = await client.call('POST', `/v1/apps/${app.id}/keys`, org, {
    name: 'fixture',
  });
  const device: Headers = { 'x-service-key': key.secret };
  world.storeServer.addApp(bundleId);
  // The history of notifications is not to be had: its recovery waits for another attempt.
  for (const simulator of [world.storeServer.production, world.storeServer.sandbox]) {
    simulator.faults.next(
      { kind: 'status', status: 500 },
      { times: 100_000, match: /notifications\/history/ },
    );
  }
  await client.call('PUT', '/v1/purchases/connection', org, purchases);
  return { appId: app.id as string, bundleId, device, appAppleId: Number(storeAppId) };
}

export type FixtureApp = Awaited<ReturnType<typeof connectStore>>;

/** Two subscriptions that outlast the fixture, and one that was refunded. */
export async function makePurchases(client: Client, world: World, app: FixtureApp) {
  const subscribe = (userId: string, environment: 'Production' | 'Sandbox') =>
    new SimulatedSubscription({
      bundleId: app.bundleId,
      environment,
      start: Date.now() - DAY_MS,
      periodMs: HUNDRED_YEARS_MS,
      appAccountToken: userId,
    });
  const verify = (subscription: SimulatedSubscription, userId: string) =>
    client.call('POST', '/v1/purchases/verify', app.device, {
      signedTransaction: world.storeServer.sign(subscription.newest),
      userId,
    });
  const bought = subscribe(crypto.randomUUID(), 'Production');
  await verify(bought, 'buyer');
  await verify(subscribe(crypto.randomUUID(), 'Sandbox'), 'tester');
  const refunded = subscribe(crypto.randomUUID(), 'Production');
  await verify(refunded, 'refunded');
  refunded.refund();
  await notify(client, world, app, refunded);
  return { bought, refunded };
}

/** Sends what a subscription told last, as the store does. */
export async function notify(
  client: Client,
  world: World,
  app: FixtureApp,
  subscription: SimulatedSubscription,
): Promise<void> {
  const told = subscription.told.at(-1);
  if (!told) throw new Error('The subscription has told nothing.');
  const { bundleId, appAppleId } = app;
  const { environment } = subscription.options;
  const payload = toNotification(told, { bundleId, environment, appAppleId });
  const signedPayload = world.storeServer.notify(environment, payload, told);
  await client.call('POST', '/v1/purchases/notifications', {}, { signedPayload });
}

/** Experiment with funnel, people who saw an arm, and what some of them did. */
export async function runExperiment(client: Client, { org }: Owner, app: FixtureApp) {
  const path = `/v1/apps/${app.appId}`;
  const post = async (tail: string, body: unknown) =>
    (await client.call('POST', `${path}${tail}`, org, body)).body;
  const arms = [];
  for (const name of ['long', 'short']) {
    const { id } = await post('/onboardings', { name, config: { name, steps: [1, 2, 3] } });
    arms.push({ name, weight: 1, onboardingId: id });
  }
  const steps = [
    { event: 'app_opened', label: 'Opened' },
    { event: 'purchase_completed', label: 'Bought' },
  ];
  await post('/funnels', { name: 'Buying', steps, isDefault: true });
  const { id } = await post('/experiments', { name: 'Long or short', arms });
  await client.call('PATCH', `${path}/experiments/${id}`, org, { status: 'running' });
  const people = Array.from({ length: EXPOSED_PEOPLE }, (_, index) => `exposed-${index}`);
  for (const anonymousId of people) {
    await client.call('GET', `/v1/experiments?anonymousId=${anonymousId}`, app.device);
  }
  const did = (name: string, share: number) =>
    people
      .filter((_, index) => index % share === 0)
      .map((anonymousId) => ({ id: `${name}-${anonymousId}`, name, anonymousId }));
  for (const events of [did('app_opened', 2), did('purchase_completed', 6)]) {
    await client.call('POST', '/v1/events', app.device, { events });
  }
  return id as string;
}

/** A believable month, in two halves: what is compacted twice, and what came later. */
export function monthOfEvents(): [unknown[], unknown[]] {
  const batches = toBatches(demoMonth(PEOPLE, Date.now() - 60_000));
  const half = Math.ceil(batches.length / 2);
  return [batches.slice(0, half), batches.slice(half)];
}

export async function sendAll(client: Client, device: Headers, batches: unknown[]) {
  for (const batch of batches) await client.call('POST', '/v1/events', device, batch);
}

export async function writeLogs(client: Client, { org }: Owner, appId: string): Promise<void> {
  for (const level of ['debug', 'info', 'warn', 'error', 'fatal']) {
    for (const service of ['web', 'billing']) {
      const fields = { appId, env: 'production', attempt: 3, nested: { text: 'Grüße' } };
      await client.call('POST', '/v1/logs', org, {
        level,
        service,
        message: `Entry of ${service}`,
        fields,
      });
    }
  }
}

/** Notes, grants, a digest and messages to an address that refuses everything. */
export async function tellThings(client: Client, world: World, { org }: Owner, appId: string) {
  const path = `/v1/apps/${appId}`;
  const day = new Date().toISOString().slice(0, 10);
  await client.call('POST', `${path}/marks`, org, { day, text: 'Featured in the store' });
  await client.call('POST', `${path}/purchases/grants`, org, {
    userId: 'winner',
    productId: 'pro.monthly',
    expiresAt: '2099-01-01T00:00:00.000Z',
  });
  await client.call('POST', '/v1/digests/destinations', org, {
    kind: 'json',
    name: 'Our server',
    target: `${world.receiver.url}/digest`,
  });
  await client.call('PUT', '/v1/digests', org, {
    isOn: true,
    timezone: 'Europe/Berlin',
    hour: 8,
  });
  await client.call('PATCH', `${path}/settings`, org, { timezone: 'America/New_York' });
}
