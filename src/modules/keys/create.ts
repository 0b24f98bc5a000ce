import type { AppContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type CreatedKey, type CreateKeyInput, MAX_KEYS_PER_APP } from './model.ts';
import { insertKey } from './queries.ts';
import { createSecret } from './secret.ts';

/** The secret is in this answer and nowhere else. Throws `conflict` at the limit of keys. */
export async function createKey(
  { deps, orgId, app }: AppContext,
  input: CreateKeyInput,
): Promise<CreatedKey> {
  const { secret, hash, prefix } = createSecret();
  const key = await insertKey(deps.sql, {
    keyId: newId('key'),
    orgId,
    appId: app.id,
    name: input.name ?? '',
    environment: input.environment ?? 'production',
    prefix,
    hash,
    createdAt: deps.clock(),
    maxKeys: MAX_KEYS_PER_APP,
  });
  if (key) return { key, secret };
  throw new AppError('conflict', 'The app has as many keys as it may.', {
    hint: `At most ${MAX_KEYS_PER_APP} keys an app, revoked ones included.`,
  });
}
