import { onlyRow } from '../../../shared/assert.ts';
import type { ExpiryReason, OfferKind, RefundReason } from '../../../shared/purchase.ts';
import type { Db, Fragment } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';
import { STORED } from '../model/stored.ts';

export type ChangeDetails = {
  userIds: string[];
  anonymousIds: string[];
  priceMilliunits: number | null;
  currency: string | null;
  storefront: string | null;
  offer: OfferKind;
  offerId: string | null;
  refundReason: RefundReason;
  /** Per 100,000; null for the whole price. */
  refundedMilliunits: number | null;
  expiryReason: ExpiryReason;
  graceExpiresAt: number | null;
  willRenew: boolean | null;
  /** Names that the product stands under. */
  entitlements: string[];
  /** Its names, and those of the product before it. */
  names: string[];
};

type DetailsRow = Omit<ChangeDetails, 'offer' | 'refundReason' | 'expiryReason'> & {
  offerCode: number | null;
  refundCode: number | null;
  expiryCode: number | null;
};

/** A purchase has one or two holders. */
const HOLDERS_MAX = 20;

export async function selectChangeDetails(
  db: Db,
  { orgId, appId, environment, chainId }: ChainKey,
  { transactionId, previousProductId }: { transactionId: string; previousProductId: string | null },
): Promise<ChangeDetails> {
  const holders = (kind: string) => db`
    ARRAY(SELECT l.person_id FROM purchase_links l
      WHERE l.org_id = c.org_id AND l.app_id = c.app_id AND l.environment = c.environment
        AND l.original_transaction_id = c.original_transaction_id AND l.kind = ${kind}
      ORDER BY l.linked_at, l.person_id LIMIT ${HOLDERS_MAX})`;
  const named = (isOf: Fragment) => db`
    ARRAY(SELECT e.name FROM purchase_entitlements e
      WHERE e.org_id = c.org_id AND e.app_id = c.app_id AND ${isOf} ORDER BY e.place)`;
  const rows = await db<DetailsRow[]>`
    SELECT ${holders('user')} AS "userIds", ${holders('anonymous')} AS "anonymousIds",
      t.price_milliunits AS "priceMilliunits", t.currency, t.storefront,
      t.offer_type AS "offerCode", t.offer_identifier AS "offerId",
      t.revocation_reason AS "refundCode",
      t.revocation_percentage_milliunits AS "refundedMilliunits",
      r.expiration_intent AS "expiryCode",
      r.grace_expires_ms AS "graceExpiresAt", r.will_renew AS "willRenew",
      ${named(db`t.snapshot ->> 'productId' = ANY(e.product_ids)`)} AS entitlements,
      ${named(db`ARRAY[t.snapshot ->> 'productId', ${previousProductId}] && e.product_ids`)} AS names
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
  const { offerCode, refundCode, expiryCode, ...details } = onlyRow(rows);
  return {
    ...details,
    offer: STORED.offer.toWord(offerCode),
    refundReason: STORED.refundReason.toWord(refundCode),
    expiryReason: STORED.expiryReason.toWord(expiryCode),
  };
}
