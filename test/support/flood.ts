import { PERMISSIONS } from '../../src/shared/permissions.ts';
import { isLast, MAKERS, newPerson, requestOf } from './flood-requests.ts';
import {
  type Asked,
  ask,
  type FloodWorld,
  type Person,
  type Tenant,
  type Told,
} from './flood-world.ts';
import type { Operation } from './openapi.ts';
import { until } from './until.ts';

/** Final answers of a service that lacks something, which no later request changes. */
const NOT_CONFIGURED = new Set(['provider_not_configured', 'store_not_configured']);

/** What a flood was answered, and all that must not have been. */
export class Tally {
  readonly statuses = new Map<number, number>();
  readonly faults: string[] = [];
  requests = 0;
  slowestMs = 0;
  slowest = '';

  note({ operationId, method, path }: Asked, told: Told, ms: number): void {
    this.requests += 1;
    this.statuses.set(told.status, (this.statuses.get(told.status) ?? 0) + 1);
    if (ms > this.slowestMs) {
      this.slowestMs = ms;
      this.slowest = operationId;
    }
    const fault = faultOf(told);
    if (fault === null) return;
    const said = JSON.stringify(told.body).slice(0, 200);
    this.faults.push(`${method} ${path}: ${fault} after ${Math.round(ms)} ms ${said}`);
  }

  toString(): string {
    const answers = [...this.statuses].toSorted(([a], [b]) => a - b);
    return (
      `${this.requests} requests; ${answers.map(([status, count]) => `${status || 'none'}: ${count}`).join(', ')}; ` +
      `slowest ${Math.round(this.slowestMs)} ms (${this.slowest})`
    );
  }
}

/** Null for an answer that a caller can work with: a refusal, or a 503 that says when to come back. */
function faultOf({ status, retryAfter, body, fault }: Told): string | null {
  if (status === 0) return `no answer: ${fault}`;
  if (status < 500) return null;
  if (status !== 503) return `${status}`;
  const isSaid = retryAfter !== null || NOT_CONFIGURED.has(body?.error?.code);
  return isSaid ? null : '503 without Retry-After';
}

async function send(world: FloodWorld, tally: Tally, asked: Asked): Promise<Told> {
  const began = performance.now();
  const told = await ask(world.service.url, asked);
  tally.note(asked, told, performance.now() - began);
  return told;
}

/** Keeps so many requests in flight, each of an operation and a tenant drawn at random, until `isOver`. */
export async function floodMixed(
  world: FloodWorld,
  tenants: readonly Tenant[],
  inFlight: number,
  isOver: () => boolean,
): Promise<Tally> {
  const tally = new Tally();
  const keepAsking = async () => {
    while (!isOver()) {
      const [operation, tenant] = [world.pick(world.operations), world.pick(tenants)];
      if (operation && tenant) await send(world, tally, requestOf(world, tenant, operation));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepAsking));
  return tally;
}

/** So many requests of one operation at once. */
export async function floodAlone(
  world: FloodWorld,
  tenants: readonly Tenant[],
  operation: Operation,
  atOnce: number,
): Promise<Tally> {
  const tally = new Tally();
  const all = Array.from({ length: atOnce }, (_, i) => {
    const tenant = tenants[i % tenants.length];
    return tenant && send(world, tally, requestOf(world, tenant, operation));
  });
  await Promise.all(all);
  return tally;
}

function operation(world: FloodWorld, operationId: string): Operation {
  const found = world.operations.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`The document has no operation ${operationId}.`);
  return found;
}

/** Asks until the service has come to it, as a patient client does. */
async function patiently(world: FloodWorld, asked: Asked): Promise<Told> {
  return until(`${asked.method} ${asked.path} is answered`, async (saw) => {
    const told = await ask(world.service.url, asked);
    saw([told.status, told.body]);
    return told.status > 0 && told.status < 500 && told;
  });
}

async function done(world: FloodWorld, asked: Asked): Promise<Told> {
  const told = await patiently(world, asked);
  if (told.status < 300) return told;
  throw new Error(`${asked.path}: ${told.status} ${JSON.stringify(told.body)}`);
}

const plain = (asked: Pick<Asked, 'operationId' | 'method' | 'path'> & Partial<Asked>): Asked => ({
  headers: {},
  body: undefined,
  learn: () => undefined,
  ...asked,
});

/** Makes another of everything that requests name, as far as there may be another one. */
async function stockUp(world: FloodWorld, tenant: Tenant): Promise<void> {
  for (const id of MAKERS) await patiently(world, requestOf(world, tenant, operation(world, id)));
}

/** An organization with one app, which is active, and a few of everything. */
export async function makeTenant(world: FloodWorld, stocks: number): Promise<Tenant> {
  const { email, password } = newPerson();
  const post = (operationId: string, path: string, body: unknown, headers = {}) =>
    done(world, plain({ operationId, method: 'POST', path, headers, body }));
  const signedUp = await post('signUp', '/v1/auth/sign-up/email', { name: 'Ada', email, password });
  const owner: Person = { email, password, cookie: signedUp.cookie };
  const slug = `flood-${crypto.randomUUID().slice(0, 12)}`;
  const { cookie } = owner;
  const founding = { name: 'Flooded', slug };
  const organization = await post('createOrganization', '/v1/auth/organization/create', founding, {
    cookie,
  });
  const named = { name: 'flood', permissions: PERMISSIONS };
  const key = await post('createOrganizationKey', '/v1/organization/keys', named, { cookie });
  const apiKey: string = key.body.secret;
  const keyed = { 'x-api-key': apiKey };
  const app = await post('createApp', '/v1/apps', { slug, displayName: 'Flooded' }, keyed);
  const appId: string = app.body.id;
  const device = await post('createPublishableKey', `/v1/apps/${appId}/keys`, {}, keyed);
  const flags = await post(
    'createPublishableKey',
    `/v1/apps/${appId}/keys`,
    { kind: 'flags' },
    keyed,
  );
  const tenant: Tenant = {
    orgId: organization.body.id,
    owner,
    apiKey,
    appId,
    device: device.body.secret,
    flagKey: flags.body.secret,
    ids: new Map(),
    running: [],
    deliveries: [],
    apps: [],
    invitations: [],
    joined: [],
  };
  for (let stock = 0; stock < stocks; stock += 1) await stockUp(world, tenant);
  await until('the app is active', async (saw) => {
    const asked = {
      operationId: 'getApp',
      method: 'GET',
      path: `/v1/apps/${appId}`,
      headers: keyed,
    };
    const { body } = await done(world, plain(asked));
    saw(body.status);
    return body.status === 'active';
  });
  return tenant;
}

/** What a request cannot have here: signatures of the store, fifty people, apps on sale, secrets. */
export const REFUSED: Readonly<Record<string, string>> = {
  connectBackend: '404 not_found',
  listEventSeriesPeople: '409 conflict',
  listEventRetentionPeople: '409 conflict',
  listEventLifecyclePeople: '409 conflict',
  listFunnelPeople: '409 conflict',
  listQuestionPeople: '409 conflict',
  showDigestsOff: '404 not_found',
  startCompanySignIn: '303 ',
  finishCompanySignIn: '303 ',
  endCompanySessions: '401 invalid_signature',
  joinCompany: '404 not_found',
  eraseAccount: '400 confirmation_mismatch',
  setSignInProvider: '400 invalid_input',
  deleteSignInProvider: '404 not_found',
  resolveStoreNotice: '404 not_found',
  deleteDemo: '404 not_found',
  endDigests: '404 not_found',
  signInWithCode: '401 not_signed_in',
  setOrganizationSecurity: '409 conflict',
  connectPurchaseKey: '409 conflict',
  connectPlayStore: '400 invalid_input',
  checkPlayConnection: '404 store_not_connected',
  connectGooglePlayAccount: '400 invalid_input',
  readGooglePlayReports: '404 store_not_connected',
  testPurchaseConnection: '404 not_found',
  verifyPurchase: '400 invalid_transaction',
  signOffer: '400 invalid_transaction',
  signOfferForCustomer: '403 permission_denied',
  extendRenewal: '404 not_found',
  setPurchaseAccountToken: '404 not_found',
  receiveStoreNotification: '401 invalid_signature',
  receiveStoreWebhook: '404 not_found',
  receivePlayNotification: '404 not_found',
  requestStoreReports: '404 store_app_not_found',
  createStoreWebhook: '404 store_app_not_found',
  refreshPurchaseCustomer: '404 not_found',
  refreshPurchaseCustomerById: '404 not_found',
  linkStoreApp: '404 store_app_not_found',
  importApp: '404 store_app_not_found',
};

/** How those operations are answered that are not done, all asked one after the other, in an organization of its own. */
export async function probeEach(world: FloodWorld): Promise<Record<string, string>> {
  const tenant = await makeTenant(world, 2);
  const refusals: Record<string, string> = {};
  const inOrder = [
    ...world.operations.filter((one) => !isLast(one)),
    ...world.operations.filter(isLast),
  ];
  for (const one of inOrder) {
    const asked = requestOf(world, tenant, one);
    const told = await ask(world.service.url, asked);
    if (told.status < 200 || told.status >= 300) {
      refusals[one.operationId] = `${told.status} ${told.body?.error?.code ?? told.fault}`;
      if (!(one.operationId in REFUSED))
        console.log(`  ${asked.path}: ${JSON.stringify(told.body)}`);
    }
  }
  return refusals;
}
