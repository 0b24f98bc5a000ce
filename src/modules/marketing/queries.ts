import * as publisher from '../../providers/publisher/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { toIsoOrNull } from '../../shared/time.ts';
import { type Db, hasRows, type Tx, firstValue, done } from '../../storage/postgres.ts';
import type { SocialConnection, SocialConnections } from './model.ts';

const NOT_CONNECTED: SocialConnection = {
  status: 'not_connected',
  handle: null,
  displayName: null,
  profileImageUrl: null,
  connectedAt: null,
};

type ConnectionRow = Omit<SocialConnection, 'connectedAt'> & {
  platform: publisher.PublisherPlatform;
  connectedAt: Date | null;
};

export async function selectConnections(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<SocialConnections> {
  const [profile] = await db<{ publisherUsername: string | null; lastCheckedAt: Date | null }[]>`
    SELECT publisher_username AS "publisherUsername", last_checked_at AS "lastCheckedAt"
    FROM social_profiles WHERE org_id = ${orgId} AND app_id = ${appId}`;
  const rows = await db<ConnectionRow[]>`
    SELECT platform, status, handle, display_name AS "displayName",
      profile_image_url AS "profileImageUrl", connected_at AS "connectedAt"
    FROM social_connections WHERE org_id = ${orgId} AND app_id = ${appId}`;
  const connections = new Map(
    rows.map(({ platform, connectedAt, ...row }) => [
      platform,
      { ...row, connectedAt: toIsoOrNull(connectedAt) },
    ]),
  );
  return {
    appId,
    photo_feed: connections.get('photo_feed') ?? NOT_CONNECTED,
    short_video: connections.get('short_video') ?? NOT_CONNECTED,
    lastCheckedAt: toIsoOrNull(profile?.lastCheckedAt),
    publisherUsername: profile?.publisherUsername ?? null,
  };
}

export const selectUsername = (db: Db, { orgId, appId }: AppScope) =>
  firstValue(db<{ username: string | null }[]>`
    SELECT publisher_username AS username FROM social_profiles
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

/** Ahead of the provider, so that a deletion finds it after a crash. */
export const reserveProfile = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    INSERT INTO social_profiles (app_id, org_id)
    SELECT app_id, org_id FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL
    ON CONFLICT (app_id) DO NOTHING`);

export const saveUsername = (db: Db, { orgId, appId }: AppScope, username: string) =>
  done(db`
    UPDATE social_profiles SET publisher_username = ${username}
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export const isProfileReserved = (db: Db, { orgId, appId }: AppScope) =>
  hasRows(db`
    SELECT 1 FROM social_profiles WHERE org_id = ${orgId} AND app_id = ${appId}`);

/** Ignores an older answer. Null `accounts`: no such profile. */
export async function saveAccounts(
  tx: Tx,
  { orgId, appId }: AppScope,
  checked: { accounts: publisher.PublisherAccounts | null; username: string; askedAt: Date },
): Promise<void> {
  const { accounts, username, askedAt } = checked;
  const knownUsername = accounts === null ? null : username;
  const [saved] = await tx`
    INSERT INTO social_profiles AS profile (app_id, org_id, publisher_username, last_checked_at)
    SELECT app_id, org_id, ${knownUsername}, ${askedAt}::timestamptz FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL
    ON CONFLICT (app_id) DO UPDATE SET publisher_username = EXCLUDED.publisher_username,
      last_checked_at = EXCLUDED.last_checked_at
    WHERE profile.last_checked_at IS NULL OR profile.last_checked_at <= EXCLUDED.last_checked_at
    RETURNING 1`;
  if (!saved) return;
  for (const platform of publisher.PUBLISHER_PLATFORMS) {
    await saveAccount(tx, { orgId, appId }, platform, accounts?.[platform] ?? null, askedAt);
  }
}

/** `connected_at` is the first sight: the provider has no time. */
async function saveAccount(
  tx: Tx,
  { orgId, appId }: AppScope,
  platform: publisher.PublisherPlatform,
  account: publisher.PublisherAccount | null,
  askedAt: Date,
): Promise<void> {
  const isConnected = account?.state === 'connected';
  await tx`
    INSERT INTO social_connections AS connection
      (app_id, org_id, platform, status, handle, display_name, profile_image_url, connected_at)
    VALUES (${appId}, ${orgId}, ${platform}, ${isConnected ? 'connected' : 'not_connected'},
      ${account?.handle ?? null}, ${account?.displayName ?? null},
      ${account?.profileImageUrl ?? null},
      ${isConnected ? askedAt : null})
    ON CONFLICT (app_id, platform) DO UPDATE SET status = EXCLUDED.status,
      handle = EXCLUDED.handle, display_name = EXCLUDED.display_name,
      profile_image_url = EXCLUDED.profile_image_url,
      connected_at = CASE WHEN EXCLUDED.connected_at IS NULL THEN NULL
        ELSE coalesce(connection.connected_at, EXCLUDED.connected_at) END`;
}

export const deleteProfile = (db: Db, { orgId, appId }: AppScope) =>
  done(db`DELETE FROM social_profiles WHERE org_id = ${orgId} AND app_id = ${appId}`);
