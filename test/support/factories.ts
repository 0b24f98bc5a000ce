import type { Environment } from '../../src/shared/environment.ts';
import type { Deps } from '../../src/context.ts';
import { finishProvisioning, insertApp, insertDataset } from '../../src/modules/apps/queries.ts';
import { createKey } from '../../src/modules/identity/organization-keys/keys.ts';
import { bootstrap } from '../../src/modules/identity/organizations/bootstrap.ts';
import { insertKey } from '../../src/modules/keys/queries.ts';
import { createSecret } from '../../src/modules/keys/secret.ts';
import { newId } from '../../src/shared/ids.ts';
import type { Permission } from '../../src/shared/permissions.ts';

export type TestOrg = {
  orgId: string;
  userId: string;
  email: string;
  password: string;
  /** Holds every permission. */
  apiKey: string;
  key: { 'x-api-key': string };
};

/** An organization of its own, so that suites and tests never see each other's rows. */
export async function createTestOrg({ deps }: { deps: Deps }): Promise<TestOrg> {
  const email = `${crypto.randomUUID()}@example.com`;
  const made = await bootstrap({ deps }, { organization: 'Test', email });
  return {
    orgId: made.organizationId,
    userId: made.userId,
    email,
    password: made.password ?? '',
    apiKey: made.apiKey,
    key: { 'x-api-key': made.apiKey },
  };
}

/** An organization key with just these permissions. */
export async function createTestKey(
  { deps }: { deps: Deps },
  org: TestOrg,
  permissions: readonly Permission[],
): Promise<{ 'x-api-key': string }> {
  const { secret } = await createKey(
    { deps },
    { orgId: org.orgId, userId: org.userId, name: 'test', permissions },
  );
  return { 'x-api-key': secret };
}

export type TestApp = { appId: string; serviceKey: string; device: { 'x-service-key': string } };

/** A key of the kind that only reads flags (`svf_…`). */
export async function createFlagKey(
  { deps }: { deps: Deps },
  orgId: string,
  appId: string,
  environment: Environment = 'production',
): Promise<string> {
  const { secret, hash, prefix } = createSecret('flags');
  const key = {
    keyId: newId('key'),
    orgId,
    appId,
    name: 'flags',
    kind: 'flags' as const,
    prefix,
    hash,
  };
  const rest = { environment, createdAt: deps.clock(), maxKeys: 200 };
  await insertKey(deps.sql, { ...key, ...rest });
  return secret;
}

/** An active app with a publishable key, made without Temporal. */
export async function createTestApp({ deps }: { deps: Deps }, orgId: string): Promise<TestApp> {
  const appId = newId('app');
  const slug = `app-${appId.slice(-8)}`;
  await insertApp(deps.sql, {
    appId,
    orgId,
    slug,
    displayName: 'Test app',
    region: 'us-east-1',
    source: 'built_here',
    createdAt: deps.clock(),
  });
  await insertDataset(deps.sql, { orgId, appId });
  await finishProvisioning(deps.sql, { orgId, appId }, 'active');
  const { secret, hash, prefix } = createSecret();
  await insertKey(deps.sql, {
    keyId: newId('key'),
    orgId,
    appId,
    name: 'test',
    kind: 'events',
    environment: 'production',
    prefix,
    hash,
    createdAt: deps.clock(),
    maxKeys: 10,
  });
  return { appId, serviceKey: secret, device: { 'x-service-key': secret } };
}
