import { ACCESS } from './access/table.ts';
import { sentExample } from './example-body.ts';
import type {
  Asked,
  FloodWorld,
  Founder,
  Guarded,
  Invitation,
  Person,
  Tenant,
  Told,
} from './flood-world.ts';
import type { Operation } from './openapi.ts';
import { codeNow } from './totp.ts';

const PASSWORD = 'correct-horse-7-battery';
const PERSON = '0f8a1c52-7d0f-4d5e-9b1a-2f6c3f1f9a10';
const NOTHING = 'nothing';

type Change = Partial<Pick<Asked, 'headers' | 'body' | 'learn'>> & {
  query?: string;
  ids?: Record<string, string>;
};
type Special = (world: FloodWorld, tenant: Tenant, example: any) => Change;

const short = () => crypto.randomUUID().slice(0, 12);

export function newPerson(): Person {
  return { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, cookie: '' };
}

export const keep = (tenant: Tenant, name: string, id: string): void => {
  const known = tenant.ids.get(name) ?? [];
  known.push(id);
  tenant.ids.set(name, known);
};

const made =
  (tenant: Tenant, name: string, idOf: (body: any) => string = ({ id }) => id) =>
  ({ body }: Told) =>
    keep(tenant, name, idOf(body));

const maker =
  (name: string, idOf?: (body: any) => string): Special =>
  (_, tenant) => ({ learn: made(tenant, name, idOf) });

const query =
  (text: string): Special =>
  () => ({ query: text });

/** A session that nobody else needs. */
const asSomebody = (world: FloodWorld): Person => world.pick(world.spare.people) ?? newPerson();

const invitationOf = (world: FloodWorld, tenant: Tenant): Invitation =>
  world.take(tenant.invitations) ?? { id: NOTHING, email: NOTHING, person: asSomebody(world) };

const aDay = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** Neither members nor invited, nor about to lose their sessions to a new password. */
const strangers = (world: FloodWorld, { joined, invitations }: Tenant): Person[] => {
  const invited = invitations.map(({ person }) => person);
  const known = new Set([...joined, ...invited, ...world.spare.forgetful]);
  return world.spare.people.filter((one) => !known.has(one));
};

/** A session that ends: of nobody who is to join or to leave later. */
const aStranger = (world: FloodWorld, tenant: Tenant): Person =>
  world.pick(strangers(world, tenant)) ?? newPerson();

const nobodyGuarded = (): Guarded => ({ person: newPerson(), secret: 'A', codes: [] });

const ACCOUNTS: Record<string, Special> = {
  signUp: (world) => {
    const { email, password } = newPerson();
    return {
      body: { name: 'Ada', email, password },
      learn: ({ cookie }) => world.spare.people.push({ email, password, cookie }),
    };
  },
  signIn: (world, { owner }) => {
    const { email, password } = world.pick(world.spare.people) ?? owner;
    return { body: { email, password } };
  },
  signOut: (world, tenant) => {
    const person = aStranger(world, tenant);
    world.spare.people = world.spare.people.filter((one) => one !== person);
    return { headers: { cookie: person.cookie } };
  },
  requestPasswordReset: (world, tenant, example) => {
    const person = aStranger(world, tenant);
    return {
      body: { ...example, email: person.email },
      learn: () => world.spare.forgetful.push(person),
    };
  },
  resetPassword: (world, tenant, example) => {
    const person = world.spare.forgetful.pop() ?? aStranger(world, tenant);
    const token = world.service.mailed(person.email, /token=([\w%-]+)/);
    return {
      body: { ...example, token: token ?? example.token },
      learn: () => {
        // Their sessions have ended.
        world.spare.people = world.spare.people.filter((one) => one !== person);
      },
    };
  },
  changePassword: (world, tenant, example) => {
    const person = aStranger(world, tenant);
    return {
      headers: { cookie: person.cookie },
      body: { ...example, currentPassword: person.password },
      learn: ({ cookie }) => {
        person.password = example.newPassword;
        if (cookie !== '') person.cookie = cookie;
      },
    };
  },
  getSecondFactor: (world) => ({ headers: { cookie: asSomebody(world).cookie } }),
  setUpSecondFactor: (world, tenant, example) => {
    const person = aStranger(world, tenant);
    return {
      headers: { cookie: person.cookie },
      body: { ...example, currentPassword: person.password },
      learn: ({ body: { secret, recoveryCodes: codes } }) => {
        world.spare.people = world.spare.people.filter((one) => one !== person);
        world.spare.begun.push({ person, secret, codes });
      },
    };
  },
  confirmSecondFactor: (world) => {
    const begun = world.take(world.spare.begun) ?? nobodyGuarded();
    return {
      headers: { cookie: begun.person.cookie },
      body: { code: codeNow(begun.secret) },
      learn: ({ cookie }) => {
        begun.person.cookie = cookie;
        world.spare.guarded.push(begun);
      },
    };
  },
  renewRecoveryCodes: (world) => {
    const guarded = world.pick(world.spare.guarded) ?? nobodyGuarded();
    return {
      headers: { cookie: guarded.person.cookie },
      body: { currentPassword: guarded.person.password, code: guarded.codes.pop() ?? NOTHING },
      learn: ({ body }) => {
        guarded.codes = body.recoveryCodes;
      },
    };
  },
  removeSecondFactor: (world) => {
    const { person, codes } = world.take(world.spare.guarded) ?? nobodyGuarded();
    return {
      headers: { cookie: person.cookie },
      body: { currentPassword: person.password, code: codes.pop() ?? NOTHING },
      learn: ({ cookie }) => world.spare.people.push({ ...person, cookie }),
    };
  },
  listSessions: (world) => ({ headers: { cookie: asSomebody(world).cookie } }),
  revokeSession: (world) => ({ headers: { cookie: asSomebody(world).cookie } }),
  revokeOtherSessions: (world) => ({ headers: { cookie: asSomebody(world).cookie } }),
  setActiveOrganization: (world) => ({ headers: { cookie: asSomebody(world).cookie } }),
};

const ORGANIZATIONS: Record<string, Special> = {
  createOrganization: (world, tenant, example) => {
    const person = aStranger(world, tenant);
    world.spare.people = world.spare.people.filter((one) => one !== person);
    const slug = `org-${short()}`;
    return {
      headers: { cookie: person.cookie },
      body: { ...example, slug },
      learn: () => world.spare.founders.push({ person, slug }),
    };
  },
  deleteOrganization: (world, { owner }) => {
    const founder: Founder = world.take(world.spare.founders) ?? { person: owner, slug: NOTHING };
    return {
      headers: { cookie: founder.person.cookie },
      query: `confirm=${founder.slug}`,
      learn: () => world.spare.people.push(founder.person),
    };
  },
  inviteMember: (world, tenant, example) => {
    const person = aStranger(world, tenant);
    const { email } = person;
    return {
      body: { ...example, email },
      learn: ({ body }) => {
        const mailed = world.service.mailed(email, /[#&]id=([\w-]+)/);
        const id: string | undefined = body.id ?? mailed;
        // A newer one takes the place of the earlier.
        const others = tenant.invitations.filter((one) => one.email !== email);
        tenant.invitations = id === undefined ? others : [...others, { id, email, person }];
      },
    };
  },
  getInvitation: (world, tenant) => {
    const { id, person } = world.pick(tenant.invitations) ?? invitationOf(world, tenant);
    return { headers: { cookie: person.cookie }, query: `id=${id}` };
  },
  readInvitation: (world, tenant) => ({
    body: { invitationId: (world.pick(tenant.invitations) ?? invitationOf(world, tenant)).id },
  }),
  acceptInvitation: (world, tenant) => {
    const { id, person } = invitationOf(world, tenant);
    return {
      headers: { cookie: person.cookie },
      body: { invitationId: id },
      learn: () => tenant.joined.push(person),
    };
  },
  rejectInvitation: (world, tenant) => {
    const { id, person } = invitationOf(world, tenant);
    return { headers: { cookie: person.cookie }, body: { invitationId: id } };
  },
  cancelInvitation: (world, tenant) => ({ body: { email: invitationOf(world, tenant).email } }),
  leaveOrganization: (world, tenant) => {
    const person = tenant.joined.shift() ?? asSomebody(world);
    return { headers: { cookie: person.cookie }, body: { organizationId: tenant.orgId } };
  },
  listMembers: (_, tenant) => ({
    learn: ({ body }) => {
      const members: { id: string; role: string }[] = body;
      const others = members.filter(({ role }) => role !== 'owner').map(({ id }) => id);
      tenant.ids.set('memberId', others);
    },
  }),
  updateMemberRole: (world, { ids }, example) => {
    const id = world.pick(ids.get('memberId') ?? []);
    return { body: { ...example, memberId: id ?? example.memberId } };
  },
  removeMember: (_, { ids }, example) => {
    const id = ids.get('memberId')?.pop();
    return { body: { memberId: id ?? example.memberId } };
  },
  createOrganizationKey: maker('organizationKeyId', ({ key }) => key.id),
};

const APPS: Record<string, Special> = {
  createApp: (_, tenant, example) => {
    const slug = `spare-${short()}`;
    return {
      body: { ...example, slug },
      learn: ({ body }) => tenant.apps.push({ id: body.id, slug }),
    };
  },
  deleteApp: (world, { apps }) => {
    const app = world.take(apps) ?? { id: NOTHING, slug: NOTHING };
    return { ids: { id: app.id }, query: `confirm=${app.slug}` };
  },
  connectBackend: (world, { apps }) => ({ ids: { id: world.pick(apps)?.id ?? NOTHING } }),
  connectSocialPlatform: () => ({ ids: { platform: 'photo_feed' } }),
  createPublishableKey: maker('keyId', ({ key }) => key.id),
  createMark: (_, tenant, example) => ({
    body: { ...example, text: short() },
    learn: made(tenant, 'markId'),
  }),
  createFlag: (_, tenant, example) => ({
    body: { ...example, key: `flag-${short()}` },
    learn: (told) => {
      made(tenant, 'flagId')(told);
      keep(tenant, 'key', told.body.key);
    },
  }),
  createOnboarding: maker('onboardingId'),
  createFunnel: (_, tenant, example) => ({
    body: { ...example, isDefault: false },
    learn: made(tenant, 'funnelId'),
  }),
  saveQuestion: (_, tenant, example) => ({
    body: { ...example, name: short() },
    learn: made(tenant, 'questionId'),
  }),
  saveSqlQuery: (_, tenant, example) => ({
    body: { ...example, name: short() },
    learn: made(tenant, 'queryId'),
  }),
  updateSqlQuery: () => ({ body: { name: short() } }),
  updateQuestion: () => ({ body: { name: short() } }),
  // Of the oldest question: a watch goes with its own, and deletions take the newest.
  createWatch: (_, tenant, example) => ({
    body: { ...example, questionId: tenant.ids.get('questionId')?.[0] ?? NOTHING },
    learn: made(tenant, 'watchId'),
  }),
  createSegment: (_, tenant, example) => ({
    body: { ...example, name: short() },
    learn: made(tenant, 'segmentId'),
  }),
  updateSegment: () => ({ body: { name: short() } }),
  createPurchaseImport: maker('importId'),
  grantEntitlement: maker('grantId'),
  // Products are of transactions, which no flood signs.
  setNamedEntitlements: () => ({ body: { entitlements: [] } }),
  setOfferings: () => ({ body: { offerings: [], defaultOffering: null, flag: null } }),
};

const ofRunning: Special = (world, { running }, example) => {
  const { id, armId } = world.pick(running) ?? { id: NOTHING, armId: NOTHING };
  const body = example?.armId === undefined ? {} : { body: { ...example, armId } };
  return { ids: { experimentId: id }, ...body };
};

const EXPERIMENTS: Record<string, Special> = {
  createExperiment: maker('experimentId'),
  updateExperiment: (world, tenant) => ({
    ids: { experimentId: world.pick(tenant.ids.get('experimentId')?.slice(0, 2) ?? []) ?? NOTHING },
    learn: ({ body }) => tenant.running.push({ id: body.id, armId: body.arms[0].id }),
  }),
  getExperimentReport: ofRunning,
  shipExperimentArm: ofRunning,
  listExperimentOverrides: ofRunning,
  setExperimentOverride: ofRunning,
  deleteExperimentOverride: (world, tenant, example) => ({
    ...ofRunning(world, tenant, example),
    query: `anonymousId=${PERSON}`,
  }),
};

const OUTSIDE: Record<string, Special> = {
  createWebhook: maker('webhookId', ({ webhook }) => webhook.id),
  changeWebhook: () => ({ body: { enabled: true } }),
  testWebhook: (world, tenant) => {
    const webhookId = world.pick(tenant.ids.get('webhookId') ?? []) ?? NOTHING;
    return {
      ids: { webhookId },
      learn: ({ body }) => tenant.deliveries.push({ webhookId, deliveryId: body.deliveryId }),
    };
  },
  redeliverWebhook: (world, { deliveries }) => ({
    ids: world.pick(deliveries) ?? { webhookId: NOTHING, deliveryId: NOTHING },
  }),
  createDigestDestination: maker('destinationId'),
  connectStore: ({ service }) => ({ body: service.storeKey }),
  syncAllSales: ({ service }) => ({ headers: { 'x-cron-secret': service.cronSecret } }),
};

const QUERIES: Record<string, Special> = {
  searchPeople: query('search=0f8a'),
  exportPersonById: query(`personId=${PERSON}`),
  erasePerson: () => ({ ids: { personId: `erased-${PERSON}` } }),
  erasePersonById: query(`personId=erased-${PERSON}`),
  listEventSeriesPeople: () => ({
    query: `point=${aDay()}T00:00:00.000Z&days=7&timezone=UTC&name=screen_viewed`,
  }),
  listEventLifecyclePeople: () => ({
    query: `point=${aDay()}T00:00:00.000Z&state=returning&days=7&timezone=UTC`,
  }),
  getEventPaths: query('name=screen_viewed'),
  listEventRetentionPeople: query('cohortIndex=0'),
  listEventProperties: query('name=screen_viewed'),
  getExperimentAssignment: query(`anonymousId=${PERSON}`),
  deleteDemo: query(`confirm=${NOTHING}`),
  startCompanySignIn: query('organization=nobody-here'),
  showDigestsOff: query(`org=${NOTHING}&token=${NOTHING}`),
  endDigests: query(`org=${NOTHING}&token=${NOTHING}`),
  listFunnelPeople: query('step=1'),
  getEntitlement: query('userId=user-8271'),
  getPersonEntitlement: query('userId=user-8271'),
  getPurchaseCustomerById: query('customerId=user-4711'),
};

const SPECIAL: Record<string, Special> = {
  ...ACCOUNTS,
  ...ORGANIZATIONS,
  ...APPS,
  ...EXPERIMENTS,
  ...OUTSIDE,
  ...QUERIES,
};

function headersFor(world: FloodWorld, tenant: Tenant, { route }: Operation) {
  const who = ACCESS[route]?.who ?? [];
  const known: Record<string, Record<string, string>> = {
    device: { 'x-service-key': tenant.device },
    flagKey: { 'x-api-key': tenant.flagKey },
    orgKey: { 'x-api-key': tenant.apiKey },
    session: { cookie: tenant.owner.cookie },
  };
  return known[world.pick(who) ?? ''] ?? {};
}

/** The parameters of the path: things of the tenant, each gone from the stock where it is deleted. */
function idsFor(world: FloodWorld, tenant: Tenant, operation: Operation): Record<string, string> {
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { appId, ids } = tenant;
  return Object.fromEntries(
    params.map((name, at) => {
      if (name === 'id') return [name, appId];
      if (name === 'personId') return [name, PERSON];
      if (name === 'customerId') return [name, 'user-4711'];
      const isOrganizationKey = operation.path.startsWith('/v1/organization/');
      const stock = ids.get(isOrganizationKey ? 'organizationKeyId' : name) ?? [];
      const isTaken = operation.method === 'DELETE' && at === params.length - 1;
      return [name, (isTaken ? stock.pop() : world.pick(stock)) ?? NOTHING];
    }),
  );
}

/** One request of the operation, with everything of this tenant that it needs. */
export function requestOf(world: FloodWorld, tenant: Tenant, operation: Operation): Asked {
  const ids = idsFor(world, tenant, operation);
  const example = sentExample(operation, {
    appId: tenant.appId,
    onboardings: (tenant.ids.get('onboardingId') ?? []).slice(0, 2),
  });
  const special = SPECIAL[operation.operationId]?.(world, tenant, example) ?? {};
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(special.ids?.[name] ?? ids[name] ?? NOTHING),
  );
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: special.query === undefined ? path : `${path}?${special.query}`,
    headers: special.headers ?? headersFor(world, tenant, operation),
    body: special.body ?? example,
    learn: special.learn ?? (() => undefined),
  };
}

/** What makes things that others name; the experiment comes after its onboardings. */
export const MAKERS = [
  'signUp',
  'createOrganization',
  'signUp',
  'signUp',
  'signUp',
  'signUp',
  'inviteMember',
  'acceptInvitation',
  'listMembers',
  'inviteMember',
  'inviteMember',
  'createOrganizationKey',
  'createApp',
  'sendEvents',
  'createPublishableKey',
  'createMark',
  'createFlag',
  'createOnboarding',
  'createOnboarding',
  'createExperiment',
  'createFunnel',
  'createSegment',
  'saveQuestion',
  'saveSqlQuery',
  'createWatch',
  'createPurchaseImport',
  'grantEntitlement',
  'createWebhook',
  'createDigestDestination',
];

/** Last: they end a session, a membership or something else that the rest needs, or wait for a mail. */
export const isLast = ({ operationId, method }: Operation): boolean =>
  method === 'DELETE' ||
  [
    'resetPassword',
    'signOut',
    'changePassword',
    'eraseAccount',
    'leaveOrganization',
    'removeMember',
  ].includes(operationId);
