import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { revokeKey } from './queries.ts';

/**
 * Felt by ingest in this process at once, in others within 5 seconds. Revoking again changes
 * nothing.
 */
export async function revokePublishableKey(
  { deps, orgId, app }: AppContext,
  input: { keyId: string },
): Promise<void> {
  const at = deps.clock();
  const found = await revokeKey(deps.sql, { orgId, appId: app.id, keyId: input.keyId, at });
  if (!found) throw notFound();
  deps.deviceKeys.forget((device) => device.keyId === input.keyId);
}
