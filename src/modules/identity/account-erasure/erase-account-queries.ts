import { type Db, type Tx, column } from '../../../storage/postgres.ts';
import type { KnownUser } from '../accounts/queries.ts';
import { isOnlyOwner } from '../auth/organizations-queries.ts';

export const selectOnlyOwned = (db: Db, userId: string) =>
  column(db<{ name: string }[]>`
    SELECT o.name FROM auth.member m JOIN auth.organization o ON o.id = m."organizationId"
    WHERE m."userId" = ${userId} AND ${isOnlyOwner(db)}
    ORDER BY 1`);

/** The rest by foreign keys. */
export async function deleteAccountRows(
  tx: Tx,
  { id, email, emailVerified }: KnownUser,
): Promise<void> {
  await tx`
    INSERT INTO barred_addresses (org_id, address_hash, barred_at)
    SELECT org_id, barred_address_hash(org_id, ${email}), barred_at
    FROM barred_members WHERE user_id = ${id} ON CONFLICT DO NOTHING`;
  await tx`DELETE FROM onboarding_surveys WHERE split_part(user_id, ' ', -1) = ${id}`;
  await tx`DELETE FROM auth.verification WHERE value = ${id}`;
  // An unproved address may be somebody else's.
  if (emailVerified) {
    await tx`DELETE FROM auth.verification WHERE value = ${email}`;
    await tx`DELETE FROM auth.invitation WHERE lower(email) = ${email}`;
  }
  await tx`DELETE FROM auth."user" WHERE id = ${id}`;
}

/** Also of this act. */
export async function forgetAccountInAudit(tx: Tx, id: string): Promise<void> {
  await tx`SELECT set_config('audit.allows', 'erasure', true)`;
  await tx`
    UPDATE audit_entries SET changes = (
      SELECT jsonb_agg(CASE WHEN c ->> 'of' IN ('user', 'account', 'onboarding_surveys')
        AND jsonb_path_exists(c, '$.id.* ? (@ == $id)', jsonb_build_object('id', ${id}::text))
        THEN c || '{"before": null, "after": null}' ELSE c END ORDER BY n)
      FROM jsonb_array_elements(changes) WITH ORDINALITY AS each(c, n))
    WHERE jsonb_path_exists(changes, '$[*].id.* ? (@ == $id)',
      jsonb_build_object('id', ${id}::text))`;
  await tx`
    SELECT set_config('audit.allows', '', true), set_config('audit.changes',
      CASE WHEN current_setting('audit.on', true) = 'on' THEN jsonb_build_array(jsonb_build_object(
        'of', 'user', 'id', jsonb_build_object('id', ${id}::text), 'before', NULL, 'after', NULL
      ))::text ELSE '' END, true)`;
}
