import type { AppContext, Deps } from '../../../context.ts';
import type { PlayKey } from '../../../providers/play-store/port.ts';
import { AppError } from '../../../shared/errors.ts';
import { isOfTheKey, toGoogleError } from '../../../shared/google-errors.ts';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import type { StoreContext } from '../model/store.ts';
import * as queries from './connection-queries.ts';
import type { ConnectPlayInput, PlayConnection, StoredPlayConnection } from './model.ts';

export const PLAY_KEY_PURPOSE = 'play-key';

export type OpenPlayKey = { key: PlayKey; packageName: string };

export async function openPlayKey(
  { deps, orgId }: StoreContext<'secrets' | 'sql'>,
  appId: string,
): Promise<OpenPlayKey | null> {
  const stored = await queries.selectSealedPlayKey(deps.sql, { orgId, appId });
  if (!stored) return null;
  const { packageName, clientEmail, privateKeyId, sealedKey } = stored;
  const privateKey = deps.secrets.open({ orgId, purpose: PLAY_KEY_PURPOSE }, sealedKey);
  return { key: { clientEmail, privateKeyId, privateKey }, packageName };
}

/** The audience of the tokens, too. */
export const pushAddress = (config: Parameters<typeof toPublicUrl>[0], appId: string): string =>
  `${toPublicUrl(config)}/v1/purchases/play-store/notifications/${appId}`;

const toWire = (
  { config }: Pick<Deps, 'config'>,
  stored: StoredPlayConnection,
): PlayConnection => ({ ...stored, pushAddress: pushAddress(config, stored.appId) });

export async function getPlayConnection({
  deps,
  scope,
}: AppContext<'config' | 'sql'>): Promise<PlayConnection | null> {
  const stored = await queries.selectPlayConnection(deps.sql, scope);
  return stored && toWire(deps, stored);
}

/** Throws the errors of Google Play; a refused key is not kept. */
export async function connectPlayStore(
  { deps, orgId, app }: AppContext<'clock' | 'config' | 'playStore' | 'secrets' | 'sql'>,
  input: ConnectPlayInput,
): Promise<PlayConnection> {
  const { packageName, serviceAccount, pushEmail = null } = input;
  const key = deps.playStore.readKey(serviceAccount);
  // First: no store request without secret storage.
  const sealedKey = deps.secrets.seal({ orgId, purpose: PLAY_KEY_PURPOSE }, key.privateKey);
  try {
    await deps.playStore.checkKey(key, packageName);
  } catch (thrown) {
    throw toGoogleError(thrown);
  }
  const { clientEmail, privateKeyId } = key;
  const stored = await queries.upsertPlayConnection(deps.sql, {
    ...{ orgId, appId: app.id, packageName, clientEmail, privateKeyId, sealedKey, pushEmail },
    at: deps.clock(),
  });
  return toWire(deps, stored);
}

/** Recorded purchases stay. */
export const disconnectPlayStore = ({ deps, scope }: AppContext<'sql'>): Promise<void> =>
  queries.deletePlayConnection(deps.sql, scope);

const notConnected = () =>
  new AppError('store_not_connected', 'Google Play is not connected for this app.', {
    hint: 'Connect a service account with PUT /v1/apps/{id}/purchases/play-store.',
  });

/** Answers a refusal of the key. Throws `store_not_connected`, and when Google gives no answer. */
export async function checkPlayConnection(
  ctx: AppContext<'clock' | 'config' | 'playStore' | 'secrets' | 'sql'>,
): Promise<PlayConnection> {
  const { deps, app, scope } = ctx;
  const opened = await openPlayKey(ctx, app.id);
  if (!opened) throw notConnected();
  let error: string | null = null;
  try {
    await deps.playStore.checkKey(opened.key, opened.packageName);
  } catch (thrown) {
    if (!isOfTheKey(thrown)) throw toGoogleError(thrown);
    error = thrown.message;
  }
  const { privateKeyId } = opened.key;
  await queries.recordPlayCheck(deps.sql, scope, { privateKeyId, at: deps.clock(), error });
  const connection = await queries.selectPlayConnection(deps.sql, scope);
  if (!connection) throw notConnected();
  return toWire(deps, connection);
}
