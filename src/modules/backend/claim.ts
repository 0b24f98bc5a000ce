import { randomBytes } from 'node:crypto';
import type { SystemContext } from '../../context.ts';
import type { App } from '../../shared/app.ts';
import type { Tx } from '../../storage/postgres.ts';
import type {
  BackendClaim,
  BackendQuestion,
  BackendRunInput,
} from '../../temporal/contracts/backend.ts';
import { selectApp } from '../apps/index.ts';
import { ANOTHER_APP, ANOTHER_PROJECT, refusal } from './outcome.ts';
import {
  type BackendRecord,
  deleteUnmade,
  insertWanted,
  lockBackend,
  selectByRef,
  selectOfApp,
} from './queries.ts';

export const PASSWORD_PURPOSE = 'backend-database-password';
const PASSWORD_BYTES = 24;

/**
 * Decides what has to be done to connect an app's backend. A new project is recorded, with its
 * password sealed, before the provider is asked to create it.
 */
export async function claimBackend(
  { deps }: SystemContext<'clock' | 'secrets' | 'sql'>,
  input: BackendRunInput & BackendQuestion,
): Promise<BackendClaim> {
  const { orgId, appId, existingProjectRef } = input;
  const app = await selectApp(deps.sql, orgId, appId);
  if (!app) return refusal('not_found', '');
  if (existingProjectRef === null && !deps.secrets.available) {
    return refusal('secret_storage_unavailable', 'Set SECRETS_KEY on the server.');
  }
  return deps.sql.begin(async (tx): Promise<BackendClaim> => {
    await lockBackend(tx, input);
    const current = await selectOfApp(tx, input);
    if (current) return ofCurrent(tx, input, current);
    if (existingProjectRef !== null) return ofExisting(tx, input, existingProjectRef);
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await insertWanted(tx, input, {
      name: nameOf(app),
      sealedPassword: deps.secrets.seal({ orgId, purpose: PASSWORD_PURPOSE }, password),
      now: deps.clock(),
    });
    return { kind: 'create' };
  });
}

/** Unique for ever: the id of an app is never used again. */
function nameOf(app: App): string {
  return `${app.slug}-${app.id}`;
}

async function ofCurrent(
  tx: Tx,
  input: BackendRunInput & BackendQuestion,
  current: BackendRecord,
): Promise<BackendClaim> {
  const { existingProjectRef } = input;
  const { projectRef, url } = current;
  if (projectRef !== null) {
    const isSame = existingProjectRef === null || existingProjectRef === projectRef;
    return isSame ? { kind: 'connected', projectRef, url } : refusal('conflict', ANOTHER_PROJECT);
  }
  if (existingProjectRef === null) {
    return { kind: current.attemptedAt === null ? 'create' : 'search' };
  }
  if (current.attemptedAt !== null) {
    return refusal('conflict', 'A project is being created for the app. Try again later.');
  }
  await deleteUnmade(tx, input);
  return ofExisting(tx, input, existingProjectRef);
}

async function ofExisting(
  tx: Tx,
  { orgId, appId }: BackendRunInput,
  projectRef: string,
): Promise<BackendClaim> {
  const project = await selectByRef(tx, orgId, projectRef);
  if (!project) return refusal('not_found', '');
  if (project.appId !== null && project.appId !== appId) {
    return refusal('conflict', ANOTHER_APP);
  }
  return { kind: 'attach', projectRef };
}
