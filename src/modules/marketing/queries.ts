import {
  PUBLISHER_PLATFORMS,
  type PublisherAccount,
  type PublisherAccounts,
  type PublisherPlatform,
} from '../../providers/publisher/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { toIsoOrNull } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import type { SocialConnection, SocialConnections } from './model.ts';

const NOT_CONNECTED: SocialConnection = {
  status: 'not_connected',
  handle: null,
  displayName: null,
  profileImageUrl: null,
  connectedAt: null,
};

type ConnectionRow = Omit<SocialConnection, 'connectedAt'> & {
  platform: PublisherPlatform;
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

/** The provider's name of the app's profile, or null before it exists. */
export async function selectUsername(db: Db, { orgId, appId }: AppScope): Promise<string | null> {
  const [row] = await db<{ username: string | null }[]>`
    SELECT publisher_username AS username FROM social_profiles
    WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return row?.username ?? null;
}

/**
 * Records a profile before the provider creates it, so that a deletion finds it even after a crash
 * in between. Does nothing for a deleted app.
 */
export async function reserveProfile(db: Db, { orgId, appId }: AppScope): Promise<void> {
  await db`
    INSERT INTO social_profiles (app_id, org_id)
    SELECT app_id, org_id FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL
    ON CONFLICT (app_id) DO NOTHING`;
}

export async function saveUsername(
  db: Db,
  { orgId, appId }: AppScope,
  username: string,
): Promise<void> {
  await db`
    UPDATE social_profiles SET publisher_username = ${username}
    WHERE org_id = ${orgId} AND app_id = ${appId}`;
}

/** True when the provider may have a profile of the app. */
export async function isProfileReserved(db: Db, { orgId, appId }: AppScope): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM social_profiles WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return rows.length > 0;
}

/**
 * Stores the provider's answer to a request of `askedAt`; the answer to an older request changes
 * nothing. `accounts` is null when the provider has no such profile.
 */
export async function saveAccounts(
  tx: Tx,
  { orgId, appId }: AppScope,
  checked: { accounts: PublisherAccounts | null; username: string; askedAt: Date },
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
  for (const platform of PUBLISHER_PLATFORMS) {
    await saveAccount(tx, { orgId, appId }, platform, accounts?.[platform] ?? null, askedAt);
  }
}

/** Sets `connected_at` when the account is first seen connected: the provider has no such time. */
async function saveAccount(
  tx: Tx,
  { orgId, appId }: AppScope,
  platform: PublisherPlatform,
  account: PublisherAccount | null,
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

/** Idempotent; connections go with the profile. */
export async function deleteProfile(db: Db, { orgId, appId }: AppScope): Promise<void> {
  await db`DELETE FROM social_profiles WHERE org_id = ${orgId} AND app_id = ${appId}`;
}
