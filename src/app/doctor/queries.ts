import { type Db, singleRow } from '../../storage/postgres.ts';

export const selectVersion = (db: Db) =>
  singleRow(db<{ version: string; number: number }[]>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS number`);

export type DatabaseFacts = {
  name: string;
  encoding: string;
  hasOldCollation: boolean;
  mayCreate: boolean;
  foreignTables: number;
  isDurable: boolean;
  connections: number;
};

export const selectFacts = (db: Db) =>
  singleRow(db<DatabaseFacts[]>`
    SELECT d.datname AS name, pg_encoding_to_char(d.encoding) AS encoding,
      coalesce(d.datcollversion <> pg_database_collation_actual_version(d.oid), false)
        AS "hasOldCollation",
      has_schema_privilege('public', 'CREATE') AS "mayCreate",
      (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')) AS "foreignTables",
      current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
        AND current_setting('synchronous_commit') <> 'off' AS "isDurable",
      least(current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int,
        nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) AS connections
    FROM pg_database d, pg_roles r
    WHERE d.datname = current_database() AND r.rolname = current_user`);

export type StoreKeyFault = { store: string; orgId: string; status: string; error: string | null };

export const selectStoreKeyFaults = (db: Db) =>
  db<StoreKeyFault[]>`
    SELECT store, org_id AS "orgId", status, last_error AS error FROM (
      SELECT 'App Store Connect' AS store, org_id, status, last_error FROM store_connections
        WHERE sealed_key IS NOT NULL
      UNION ALL SELECT 'App Store purchases', org_id, status, last_error FROM purchase_connections
      UNION ALL SELECT 'Google Play reports', org_id, status, last_error
        FROM google_play_accounts WHERE sealed_key IS NOT NULL
      UNION ALL SELECT 'Google Play', org_id, status, last_error FROM play_connections
    ) keys WHERE status <> 'connected' ORDER BY store, org_id LIMIT 20`;

export const countStoreKeys = (db: Db) =>
  singleRow(db<{ apple: number; google: number }[]>`
    SELECT ((SELECT count(*) FROM store_connections WHERE sealed_key IS NOT NULL)
        + (SELECT count(*) FROM purchase_connections))::int AS apple,
      ((SELECT count(*) FROM google_play_accounts WHERE sealed_key IS NOT NULL)
        + (SELECT count(*) FROM play_connections))::int AS google`);
