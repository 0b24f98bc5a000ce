import { type Db, firstRow, done, column, toColumns } from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { PlayAccount } from './model.ts';

const toAccount = rowParser(PlayAccount, 'google_play_accounts row');

const columns = (db: Db) => db`
  bucket, client_email, private_key_id, status, connected_at, last_verified_at, last_error,
  read_at AS next_read_at`;

export type NewPlayAccount = {
  orgId: string;
  bucket: string;
  clientEmail: string;
  privateKeyId: string;
  sealedKey: string;
  at: Date;
};

/** Due at once. */
export const upsertPlayAccount = (db: Db, { at, ...made }: NewPlayAccount) => {
  const verified = { status: 'connected', connectedAt: at, lastVerifiedAt: at, lastError: null };
  const row = db(toColumns({ ...made, ...verified, readAt: at }));
  return toAccount.only(db`
    INSERT INTO google_play_accounts ${row} ON CONFLICT (org_id) DO UPDATE SET ${row}
    RETURNING ${columns(db)}`);
};

/** Null without a key. */
export const selectPlayAccount = (db: Db, orgId: string) =>
  toAccount.first(db`
    SELECT ${columns(db)} FROM google_play_accounts
    WHERE org_id = ${orgId} AND sealed_key IS NOT NULL`);

/** Also after its key was destroyed. */
export const selectBucket = (db: Db, orgId: string) =>
  firstRow(db<{ bucket: string; isEnded: boolean }[]>`
    SELECT bucket, sealed_key IS NULL AS "isEnded"
    FROM google_play_accounts WHERE org_id = ${orgId}`);

export type SealedPlayAccount = {
  bucket: string;
  clientEmail: string;
  privateKeyId: string;
  sealedKey: string;
};

export const selectSealedAccount = (db: Db, orgId: string) =>
  firstRow(db<SealedPlayAccount[]>`
    SELECT bucket, client_email AS "clientEmail", private_key_id AS "privateKeyId",
      sealed_key AS "sealedKey"
    FROM google_play_accounts WHERE org_id = ${orgId} AND sealed_key IS NOT NULL`);

export const destroyPlayKey = (db: Db, orgId: string) =>
  done(db`UPDATE google_play_accounts SET sealed_key = NULL WHERE org_id = ${orgId}`);

export const setNextRead = (db: Db, orgId: string, at: Date) =>
  done(db`UPDATE google_play_accounts SET read_at = ${at} WHERE org_id = ${orgId}`);

/** Skips a key connected in the meantime. `error` is null after success. */
export async function recordPlayRead(
  db: Db,
  orgId: string,
  read: { privateKeyId: string; at: Date; nextAt: Date; error: string | null },
): Promise<void> {
  const status = read.error === null ? 'connected' : 'invalid';
  await db`
    UPDATE google_play_accounts SET status = ${status}, last_error = ${read.error},
      read_at = ${read.nextAt}, last_verified_at = CASE WHEN ${read.error}::text IS NULL
        THEN ${read.at} ELSE last_verified_at END
    WHERE org_id = ${orgId} AND private_key_id = ${read.privateKeyId}`;
}

export const selectAccountsDue = (db: Db, { now, limit }: { now: Date; limit: number }) =>
  column(db<{ orgId: string }[]>`
    SELECT org_id AS "orgId" FROM google_play_accounts
    WHERE sealed_key IS NOT NULL AND read_at <= ${now} ORDER BY read_at LIMIT ${limit}`);
