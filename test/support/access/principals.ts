import { revokeKey } from '../../../src/modules/identity/organization-keys/keys.ts';
import { createSecret } from '../../../src/modules/keys/secret.ts';
import { PERMISSIONS, type Permission, ROLES, type Role } from '../../../src/shared/permissions.ts';
import { createTestMember, createTestPerson, signInAs } from '../people.ts';
import {
  createFlagKey,
  createTestApp,
  createTestKey,
  createTestOrg,
  type TestApp,
  type TestOrg,
  type TestService,
} from '../service.ts';

/** What the guard should make of the headers, said without asking it. */
export type Known =
  | { kind: 'session'; org: 'own' | 'other' | null; role: Role | null }
  | { kind: 'orgKey'; org: 'own' | 'other'; permissions: readonly Permission[] }
  | { kind: 'device' }
  | { kind: 'flagReader' };

export type Principal = {
  name: string;
  headers: Record<string, string>;
  /** Presents an organization key, right or wrong: where keys count, a cookie no longer does. */
  presentsKey?: boolean;
  known: Known | null;
};

export type Stage = {
  service: TestService;
  own: TestOrg & { app: TestApp };
  other: TestOrg & { app: TestApp };
  principals: readonly Principal[];
};

async function organization(service: TestService) {
  const org = await createTestOrg(service);
  return { ...org, app: await createTestApp(service, org.orgId) };
}

async function sessions(service: TestService, own: TestOrg, other: TestOrg): Promise<Principal[]> {
  const members = ROLES.map(async (role): Promise<Principal> => {
    const { cookie } = await createTestMember(service, own, role);
    const known: Known = { kind: 'session', org: 'own', role };
    return { name: `session of the ${role}`, headers: { cookie }, known };
  });
  return [
    ...(await Promise.all(members)),
    {
      name: "session of another organization's owner",
      headers: await signInAs(service, other),
      known: { kind: 'session', org: 'other', role: 'owner' },
    },
    {
      name: 'session without an organization',
      headers: await signInAs(service, await createTestPerson(service)),
      known: { kind: 'session', org: null, role: null },
    },
  ];
}

async function revokedKey(service: TestService, own: TestOrg): Promise<Record<string, string>> {
  const headers = await createTestKey(service, own, PERMISSIONS);
  const secret = headers['x-api-key'];
  const found = await service.deps.identity.authenticator.orgKey(secret);
  await revokeKey({ deps: service.deps, orgId: own.orgId }, { keyId: found?.keyId ?? '' });
  return headers;
}

async function keys(service: TestService, own: TestOrg, other: TestOrg): Promise<Principal[]> {
  const withoutOne = PERMISSIONS.map(async (left): Promise<Principal> => {
    const permissions = PERMISSIONS.filter((permission) => permission !== left);
    const headers = await createTestKey(service, own, permissions);
    const known: Known = { kind: 'orgKey', org: 'own', permissions };
    return { name: `key without ${left}`, headers, presentsKey: true, known };
  });
  const all: Known = { kind: 'orgKey', org: 'own', permissions: PERMISSIONS };
  return [
    { name: 'key with everything', headers: own.key, presentsKey: true, known: all },
    {
      name: 'key as Bearer',
      headers: { authorization: `Bearer ${own.apiKey}` },
      presentsKey: true,
      known: all,
    },
    ...(await Promise.all(withoutOne)),
    {
      name: 'key of another organization',
      headers: other.key,
      presentsKey: true,
      known: { kind: 'orgKey', org: 'other', permissions: PERMISSIONS },
    },
    {
      name: 'revoked key',
      headers: await revokedKey(service, own),
      presentsKey: true,
      known: null,
    },
  ];
}

/** Headers that prove nothing, whichever route they are sent to. */
function strangers(own: TestOrg, { device, serviceKey }: TestApp, flagKey: string): Principal[] {
  const unknownKey = `svk_${'x'.repeat(64)}`;
  return [
    { name: 'nobody', headers: {}, known: null },
    {
      name: 'flag key',
      headers: { 'x-api-key': flagKey },
      presentsKey: true,
      known: { kind: 'flagReader' },
    },
    {
      name: 'flag key as Bearer',
      headers: { authorization: `Bearer ${flagKey}` },
      presentsKey: true,
      known: { kind: 'flagReader' },
    },
    { name: 'flag key as publishable key', headers: { 'x-service-key': flagKey }, known: null },
    {
      name: 'unknown flag key',
      headers: { 'x-api-key': createSecret('flags').secret },
      presentsKey: true,
      known: null,
    },
    { name: 'publishable key', headers: device, known: { kind: 'device' } },
    {
      name: 'unknown publishable key',
      headers: { 'x-service-key': createSecret().secret },
      known: null,
    },
    {
      name: 'publishable key as API key',
      headers: { 'x-api-key': serviceKey },
      presentsKey: true,
      known: null,
    },
    {
      name: 'API key as publishable key',
      headers: { 'x-service-key': own.apiKey },
      known: null,
    },
    { name: 'unknown key', headers: { 'x-api-key': unknownKey }, presentsKey: true, known: null },
    { name: 'garbage key', headers: { 'x-api-key': '~' }, presentsKey: true, known: null },
    {
      name: 'garbage cookie',
      headers: { cookie: 'better-auth.session_token=abc.def' },
      known: null,
    },
    {
      name: 'garbage publishable key',
      headers: { 'x-service-key': 'svp_garbage' },
      known: null,
    },
  ];
}

/** Two organizations with an app each, and every kind of caller. */
export async function setStage(service: TestService): Promise<Stage> {
  const [own, other] = await Promise.all([organization(service), organization(service)]);
  const flagKey = await createFlagKey(service, own.orgId, own.app.appId);
  const principals = [
    ...strangers(own, own.app, flagKey),
    ...(await sessions(service, own, other)),
    ...(await keys(service, own, other)),
  ];
  return { service, own, other, principals };
}
