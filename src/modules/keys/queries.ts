import { rowsOf } from '../../storage/row-parser.ts';
import { ENVIRONMENTS, type Environment } from '../../shared/environment.ts';
import type { KnownDevice, KnownFlagReader } from '../../shared/principal.ts';
import { OneOf, parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import { type Db, hasRows } from '../../storage/postgres.ts';
import { existsInApp } from '../../storage/rows-of-app.ts';
import { KEY_KINDS, type KeyKind, type PublishableKey } from './model.ts';

type KeyRow = Omit<PublishableKey, 'kind' | 'environment' | 'createdAt' | 'revokedAt'> & {
  kind: string;
  environment: string;
  createdAt: Date;
  revokedAt: Date | null;
};

const keyColumns = (db: Db) => db`
  key_id AS id, app_id AS "appId", name, prefix, kind, environment, created_at AS "createdAt",
  revoked_at AS "revokedAt"`;

const environmentParser = parser(OneOf(ENVIRONMENTS), 'environment of a stored key');

const kindParser = parser(OneOf(KEY_KINDS), 'kind of a stored key');

const toKey = (row: KeyRow): PublishableKey => ({
  ...row,
  kind: kindParser.parse(row.kind),
  environment: environmentParser.parse(row.environment),
  createdAt: toIso(row.createdAt),
  revokedAt: toIsoOrNull(row.revokedAt),
});
const keyRows = rowsOf(toKey);

export const publishableKeyExists = existsInApp('publishable_keys', 'key_id');

export const selectKeys = (db: Db, orgId: string, appId: string) =>
  keyRows.all(db<KeyRow[]>`
    SELECT ${keyColumns(db)} FROM publishable_keys
    WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY created_at DESC, key_id DESC`);

type NewKey = {
  keyId: string;
  orgId: string;
  appId: string;
  name: string;
  prefix: string;
  kind: KeyKind;
  environment: Environment;
  hash: Uint8Array;
  createdAt: Date;
  maxKeys: number;
};

export async function insertKey(db: Db, key: NewKey): Promise<PublishableKey | null> {
  const rows = await db<KeyRow[]>`
    INSERT INTO publishable_keys (key_id, org_id, app_id, name, prefix, kind, environment,
      secret_hash, created_at)
    SELECT ${key.keyId}, ${key.orgId}, ${key.appId}, ${key.name}, ${key.prefix},
      ${key.kind}, ${key.environment}, ${key.hash}, ${key.createdAt}
    WHERE (
      SELECT count(*) FROM publishable_keys
      WHERE org_id = ${key.orgId} AND app_id = ${key.appId}
    ) < ${key.maxKeys}
    RETURNING ${keyColumns(db)}`;
  return rows.map(toKey)[0] ?? null;
}

export const revokeKey = (
  db: Db,
  scope: { orgId: string; appId: string; keyId: string; at: Date },
) =>
  hasRows(db`
    UPDATE publishable_keys SET revoked_at = coalesce(revoked_at, ${scope.at})
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND key_id = ${scope.keyId}
    RETURNING 1`);

type HolderRow = Omit<KnownDevice, 'kind' | 'environment' | 'limits'> & {
  environment: string;
  limits: KnownDevice['limits'] | null;
  revoked: boolean;
};

type Holder = Omit<KnownDevice, 'kind'>;

/** Without an organization filter: the secret implies it. */
async function selectHolder(
  db: Db,
  hash: Uint8Array,
  kind: KeyKind,
): Promise<Holder | 'revoked' | 'unknown'> {
  const [row] = await db<HolderRow[]>`
    SELECT k.key_id AS "keyId", k.org_id AS "orgId", k.app_id AS "appId", k.environment,
      k.revoked_at IS NOT NULL OR a.deleted_at IS NOT NULL AS revoked,
      (SELECT jsonb_object_agg(l.name, l.points) FROM app_limits l WHERE l.app_id = k.app_id)
        AS limits
    FROM publishable_keys k JOIN apps a ON a.app_id = k.app_id AND a.org_id = k.org_id
    WHERE k.secret_hash = ${hash} AND k.kind = ${kind}`;
  if (!row) return 'unknown';
  const { revoked, environment, limits, ...ids } = row;
  if (revoked) return 'revoked';
  return { ...ids, environment: environmentParser.parse(environment), limits: limits ?? {} };
}

/** `revoked` for a deleted app's key too: both are final. */
export type Found<T> = T | 'revoked' | 'unknown';

export async function selectDeviceByHash(db: Db, hash: Uint8Array): Promise<Found<KnownDevice>> {
  const holder = await selectHolder(db, hash, 'events');
  return typeof holder === 'string' ? holder : { kind: 'device', ...holder };
}

export async function selectFlagReaderByHash(
  db: Db,
  hash: Uint8Array,
): Promise<Found<KnownFlagReader>> {
  const holder = await selectHolder(db, hash, 'flags');
  return typeof holder === 'string' ? holder : { kind: 'flagReader', ...holder };
}
