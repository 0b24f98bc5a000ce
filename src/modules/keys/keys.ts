import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import {
  type CreatedKey,
  type CreateKeyBody,
  MAX_KEYS_PER_APP,
  type PublishableKey,
} from './model.ts';
import { insertKey, revokeKey, selectKeys } from './queries.ts';
import { createSecret } from './secret.ts';

export async function listKeys({ deps, orgId, app }: AppContext<'sql'>): Promise<PublishableKey[]> {
  return selectKeys(deps.sql, orgId, app.id);
}

export async function createKey(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  { name = '', kind = 'events', environment = 'production' }: CreateKeyBody,
): Promise<CreatedKey> {
  const { secret, hash, prefix } = createSecret(kind);
  const key = await insertKey(deps.sql, {
    keyId: newId('key'),
    orgId,
    appId: app.id,
    name,
    environment,
    prefix,
    kind,
    hash,
    createdAt: deps.clock(),
    maxKeys: MAX_KEYS_PER_APP,
  });
  if (key) return { key, secret };
  throw new AppError('conflict', `An app has at most ${MAX_KEYS_PER_APP} keys.`, {
    hint: 'Revoked keys count too; use one of the present keys.',
  });
}

/** At once in this process, within 5 s in others. Idempotent. */
export async function revokePublishableKey(
  { deps, orgId, app }: AppContext<'clock' | 'deviceKeys' | 'flagKeys' | 'sql'>,
  { keyId }: { keyId: string },
): Promise<void> {
  const at = deps.clock();
  if (!(await revokeKey(deps.sql, { orgId, appId: app.id, keyId, at }))) throw notFound();
  deps.deviceKeys.forget((device) => device.keyId === keyId);
  deps.flagKeys.forget((reader) => reader.keyId === keyId);
}
