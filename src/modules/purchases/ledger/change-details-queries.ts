import { onlyRow } from '../../../shared/assert.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';

export type ChangeDetails = {
  userIds: string[];
  anonymousIds: string[];
  priceMilliunits: number | null;
  currency: string | null;
  storefront: string | null;
  offerType: number | null;
  offerIdentifier: string | null;
  revocationReason: number | null;
  /** Of 100,000; null for the whole price. */
  refundedMilliunits: number | null;
  expirationIntent: number | null;
  graceExpiresAt: number | null;
  willRenew: boolean | null;
};

/** A purchase has one or two holders. */
const HOLDERS_MAX = 20;

export async function selectChangeDetails(
  db: Db,
  { orgId, appId, environment, chainId }: ChainKey,
  transactionId: string,
): Promise<ChangeDetails> {
  const holders = (kind: string) => db`
    ARRAY(SELECT l.person_id FROM purchase_links l
      WHERE l.org_id = c.org_id AND l.app_id = c.app_id AND l.environment = c.environment
        AND l.original_transaction_id = c.original_transaction_id AND l.kind = ${kind}
      ORDER BY l.linked_at, l.person_id LIMIT ${HOLDERS_MAX})`;
  const rows = await db<ChangeDetails[]>`
    SELECT ${holders('user')} AS "userIds", ${holders('anonymous')} AS "anonymousIds",
      t.price_milliunits AS "priceMilliunits", t.currency, t.storefront,
      t.offer_type AS "offerType", t.offer_identifier AS "offerIdentifier",
      t.revocation_reason AS "revocationReason",
      t.revocation_percentage_milliunits AS "refundedMilliunits", r.expiration_intent AS "expirationIntent",
      r.grace_expires_ms AS "graceExpiresAt", r.will_renew AS "willRenew"
    FROM purchase_chains c
    LEFT JOIN purchase_transactions t ON t.app_id = c.app_id AND t.environment = c.environment
      AND t.transaction_id = ${transactionId} AND t.org_id = c.org_id
    LEFT JOIN LATERAL (
      SELECT expiration_intent, grace_expires_ms, will_renew FROM purchase_renewals p
      WHERE p.app_id = c.app_id AND p.environment = c.environment
        AND p.original_transaction_id = c.original_transaction_id
      ORDER BY p.signed_ms DESC LIMIT 1) r ON true
    WHERE c.org_id = ${orgId} AND c.app_id = ${appId} AND c.environment = ${environment}
      AND c.original_transaction_id = ${chainId}`;
  return onlyRow(rows);
}
