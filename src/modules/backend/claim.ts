import { randomBytes } from 'node:crypto';
import type { AppContext, SystemContext } from '../../context.ts';
import type { App, AppScope } from '../../shared/app.ts';
import type { Tx } from '../../storage/postgres.ts';
import type * as contracts from '../../temporal/contracts/backend.ts';
import { selectApp } from '../apps/index.ts';
import { ANOTHER_APP, ANOTHER_PROJECT, refusal } from './outcome.ts';
import * as queries from './queries.ts';

export const PASSWORD_PURPOSE = 'backend-database-password';
const PASSWORD_BYTES = 24;

const BEING_CREATED = 'A project is being created for the app. Try again later.';

/** Returns the reason of a refusal. */
export async function recordDesired(
  { deps, orgId, app, scope }: AppContext<'clock' | 'secrets' | 'sql'>,
  { existingProjectRef }: contracts.BackendQuestion,
): Promise<contracts.BackendRefusal | null> {
  if (existingProjectRef === null && !deps.secrets.available) {
    return refusal('secret_storage_unavailable', 'Set SECRETS_KEY on the server.');
  }
  return deps.sql.begin(async (tx): Promise<contracts.BackendRefusal | null> => {
    await queries.lockBackend(tx, scope);
    const current = await queries.selectOfApp(tx, scope);
    if (current?.projectRef != null) return null;
    if (existingProjectRef !== null) {
      if (current && current.attemptedAt !== null) return refusal('conflict', BEING_CREATED);
      await queries.deleteUnmade(tx, scope);
      return wantExisting(tx, scope, existingProjectRef);
    }
    if (current) return null;
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await queries.insertWanted(tx, scope, {
      name: projectName(app),
      sealedPassword: deps.secrets.seal({ orgId, purpose: PASSWORD_PURPOSE }, password),
      now: deps.clock(),
    });
    return null;
  });
}

function projectName(app: App): string {
  return `${app.slug}-${app.id}`;
}

async function wantExisting(
  tx: Tx,
  scope: AppScope,
  projectRef: string,
): Promise<contracts.BackendRefusal | null> {
  const project = await queries.selectByRef(tx, scope.orgId, projectRef);
  if (!project) return refusal('not_found', '');
  const isFree = project.appId === null || project.appId === scope.appId;
  if (!isFree || !(await queries.wantAttached(tx, scope, projectRef))) {
    return refusal('conflict', ANOTHER_APP);
  }
  return null;
}

/** Next action, by the record alone. */
export async function claimBackend(
  { deps }: SystemContext<'sql'>,
  input: contracts.BackendRunInput & contracts.BackendQuestion,
): Promise<contracts.BackendClaim> {
  const { orgId, appId, existingProjectRef } = input;
  const app = await selectApp(deps.sql, orgId, appId);
  if (!app) return refusal('not_found', '');
  const current = await queries.selectOfApp(deps.sql, { orgId, appId });
  if (current) return ofCurrent(current, existingProjectRef);
  const projectRef = await queries.selectWantedRef(deps.sql, { orgId, appId });
  if (projectRef !== null) return { kind: 'attach', projectRef };
  return existingProjectRef === null
    ? refusal('unavailable', 'Try again in a moment.')
    : refusal('conflict', ANOTHER_APP);
}

function ofCurrent(
  { projectRef, url, attemptedAt }: queries.BackendRecord,
  existingProjectRef: string | null,
): contracts.BackendClaim {
  if (projectRef !== null) {
    const isSame = existingProjectRef === null || existingProjectRef === projectRef;
    return isSame ? { kind: 'connected', projectRef, url } : refusal('conflict', ANOTHER_PROJECT);
  }
  if (existingProjectRef !== null) return refusal('conflict', BEING_CREATED);
  return { kind: attemptedAt === null ? 'create' : 'search' };
}
