import type { PlayKey } from '../../../providers/play-store/port.ts';
import type { StoreContext } from '../model/store.ts';
import { selectSealedPlayKey } from './connection-queries.ts';

export const PLAY_KEY_PURPOSE = 'play-key';

export type OpenPlayKey = { key: PlayKey; packageName: string };

export async function openPlayKey(
  { deps, orgId }: StoreContext<'secrets' | 'sql'>,
  appId: string,
): Promise<OpenPlayKey | null> {
  const stored = await selectSealedPlayKey(deps.sql, { orgId, appId });
  if (!stored) return null;
  const { packageName, clientEmail, privateKeyId, sealedKey } = stored;
  const privateKey = deps.secrets.open({ orgId, purpose: PLAY_KEY_PURPOSE }, sealedKey);
  return { key: { clientEmail, privateKeyId, privateKey }, packageName };
}
