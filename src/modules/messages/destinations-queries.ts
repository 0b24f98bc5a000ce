import { onlyRow } from '../../shared/assert.ts';
import { type Db, firstRow, type Tx, done } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInOrganization, existsInOrganization } from '../../storage/rows-of-app.ts';
import { Destination } from './destination.model.ts';

const toDestination = rowParser(Destination, 'stored destination of digests');

export type SealedDestination = { kind: Destination['kind']; sealedTarget: string };
type Found = SealedDestination & Pick<Destination, 'goneReason'>;

const columns = (db: Db) => db`
  destination_id AS id, kind, name, sealed_target AS "sealedTarget", created_at, gone_reason`;

/** Oldest first; `shown` opens a target and hides its secret part. */
export async function selectDestinations(
  db: Db,
  orgId: string,
  shown: (sealedTarget: string) => string,
): Promise<Destination[]> {
  const rows = await db<{ sealedTarget: string }[]>`
    SELECT ${columns(db)} FROM digest_destinations WHERE org_id = ${orgId}
    ORDER BY created_at, destination_id`;
  return rows.map(({ sealedTarget, ...row }) =>
    toDestination({ ...row, shownTarget: shown(sealedTarget) }),
  );
}

export const selectDestination = (db: Db, orgId: string, destinationId: string) =>
  firstRow(db<Found[]>`
    SELECT kind, sealed_target AS "sealedTarget", gone_reason AS "goneReason" FROM digest_destinations
    WHERE org_id = ${orgId} AND destination_id = ${destinationId}`);

export const destinationExists = existsInOrganization('digest_destinations', 'destination_id');

type NewDestination = Pick<Destination, 'id' | 'kind' | 'name'> & {
  sealedTarget: string;
  /** Owner of the address; the destination ends with the membership. */
  readerUserId: string | null;
  at: Date;
};

export async function insertDestination(
  tx: Tx,
  orgId: string,
  { id, kind, name, sealedTarget, readerUserId, at }: NewDestination,
  most: number,
): Promise<boolean> {
  const counted = await tx<{ count: number }[]>`
    SELECT count(*) AS count FROM digest_destinations WHERE org_id = ${orgId}`;
  if (onlyRow(counted).count >= most) return false;
  await tx`
    INSERT INTO digest_destinations (destination_id, org_id, kind, name, sealed_target,
      reader_user_id, created_at)
    VALUES (${id}, ${orgId}, ${kind}, ${name}, ${sealedTarget}, ${readerUserId}, ${at})`;
  return true;
}

export const deleteDestinationRow = deleteInOrganization('digest_destinations', 'destination_id');

export const markGone = (
  db: Db,
  { orgId, destinationId }: { orgId: string; destinationId: string },
  reason: string,
) =>
  done(db`
    UPDATE digest_destinations SET gone_reason = ${reason}
    WHERE org_id = ${orgId} AND destination_id = ${destinationId}`);

type Reader = { userId: string; isProved: boolean };

export const findReader = (db: Db, orgId: string, email: string) =>
  firstRow(db<Reader[]>`
    SELECT u.id AS "userId", u."emailVerified" AS "isProved"
    FROM auth.member JOIN auth."user" u ON u.id = member."userId"
    WHERE member."organizationId" = ${orgId} AND lower(u.email) = lower(${email})`);
