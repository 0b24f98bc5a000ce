import type { Client } from './client.ts';
import type { Headers, Read } from './facts.ts';
import type { FixtureApp, Owner } from './fill.ts';

/** Parts of an answer that tell of now, not of what is stored. */
const OF_NOW = new Set([
  'generatedAt',
  'computedAt',
  'checkedAt',
  'dataThrough',
  'maturePeople',
  'exposedBefore',
  'freshness',
  'lastVerifiedAt',
  'lastSyncAt',
  'lastSyncedAt',
  'refreshedAt',
  'storeCheckedAt',
  'updatedAt',
  'expiresAt',
  'now',
  'asOf',
  'hint',
  'requestId',
]);

/**
 * An experiment that runs has a window that ends now, and measures everybody whose own window has
 * closed by now; sales of yesterday are those of another day tomorrow.
 */
const OF_NOW_IN = new Map([
  // What is due is sent while the test reads.
  ['destinations', ['goneReason']],
  ['experiment report', ['window', 'answer', 'measured']],
  ['sales in USD', ['yesterday']],
  ['sales in EUR', ['yesterday']],
  ['sales in JPY', ['yesterday']],
]);

/** Who never reached step 2 entered with their last step-1 event once, and with their first today. */
const REDEFINED = new Map([['people of funnel', 'reachedAt']]);

const isRedefined = (name: string, key: string) =>
  [...REDEFINED].some(([read, field]) => name.startsWith(read) && field === key);

const isOfNow = (name: string, key: string) =>
  OF_NOW.has(key) || (OF_NOW_IN.get(name)?.includes(key) ?? false);

/** The answer to a read without what every moment changes, and what was redefined since. */
export function lasting(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => lasting(name, inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isOfNow(name, key) && !isRedefined(name, key))
      .map(([key, inner]) => [key, lasting(name, inner)]),
  );
}

/** Funnels counted by UTC where no zone was given, and count by that of the app today. */
export const askedInUtc = (name: string, path: string): string =>
  /^(people of )?funnel /.test(name) && !path.includes('timezone=') ? `${path}&timezone=UTC` : path;

const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Every question whose answer may never change, with from and to where the route has them. */
export async function listReads(client: Client, owner: Owner, app: FixtureApp) {
  const path = `/v1/apps/${app.appId}`;
  const { body: funnels } = await client.call('GET', `${path}/funnels`, owner.org);
  const { body: experiments } = await client.call('GET', `${path}/experiments`, owner.org);
  const days = `from=${dayBefore(29)}&to=${dayBefore(0)}`;
  const sales = `from=${dayBefore(19)}&to=${dayBefore(4)}`;
  const reads: Omit<Read, 'answer'>[] = [];
  const add = (name: string, asked: string, headers: Headers = owner.org) =>
    reads.push({ name, path: asked, headers });
  for (const { id, name } of funnels) {
    const report = `${path}/funnels/${id}/report?${days}&timezone=UTC`;
    add(`funnel ${name}`, report);
    for (const breakdown of ['platform', 'country', 'appVersion', 'prop:variant']) {
      add(`funnel ${name} by ${breakdown}`, `${report}&breakdown=${breakdown}`);
    }
    add(`people of funnel ${name}`, `${path}/funnels/${id}/people?${days}&step=1&timezone=UTC`);
  }
  for (const { id } of experiments) {
    add('experiment', `${path}/experiments/${id}`);
    add('experiment report', `${path}/experiments/${id}/report`);
  }
  const whole = `from=${dayBefore(29)}&to=${dayBefore(2)}`;
  const counted = `${path}/events`;
  add('series', `${counted}/series?names=app_opened&${whole}`);
  add('series by platform', `${counted}/series?names=app_opened&breakdown=platform&${whole}`);
  add('active people', `${counted}/series?active=true&${whole}`);
  add('retention', `${counted}/retention?interval=week&${whole}`);
  add('marks', `${path}/marks?from=${dayBefore(29)}&to=${dayBefore(0)}`);
  add('grants', `${path}/purchases/grants`);
  add('entitlement of winner', '/v1/purchases/entitlement?userId=winner', app.device);
  add('digest', '/v1/digests');
  add('destinations', '/v1/digests/destinations');
  add('settings', `${path}/settings`);
  add('funnels', `${path}/funnels`);
  add('onboardings', `${path}/onboardings`);
  add('publishable keys', `${path}/keys`);
  add('a person', `${path}/people/exposed-6?limit=100`);
  for (const currency of ['USD', 'EUR', 'JPY']) {
    add(`sales in ${currency}`, `/v1/analytics?${sales}&currency=${currency}`);
  }
  add('store apps', '/v1/store/apps');
  add('store connection', '/v1/store/connection');
  add('purchase connection', '/v1/purchases/connection');
  for (const userId of ['buyer', 'tester', 'refunded', 'nobody']) {
    add(`entitlement of ${userId}`, `/v1/purchases/entitlement?userId=${userId}`, app.device);
  }
  add('logs', `/v1/logs?since=0&until=${Date.now()}&limit=100`);
  add('logs that hold a word', `/v1/logs?since=0&until=${Date.now()}&q=gr%C3%BC%C3%9Fe&level=warn`);
  add('members', '/v1/auth/organization/list-members', owner.session);
  add('organizations', '/v1/auth/organization/list', owner.session);
  return reads;
}

/** Asks everything; what may change with the moment is left out of the answers. */
export async function answerReads(
  client: Client,
  reads: readonly Omit<Read, 'answer'>[],
): Promise<Read[]> {
  const answered: Read[] = [];
  for (const read of reads) {
    const { body } = await client.call('GET', read.path, read.headers);
    answered.push({ ...read, answer: lasting(read.name, body) });
  }
  return answered;
}
