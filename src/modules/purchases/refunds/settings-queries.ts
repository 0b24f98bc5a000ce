import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../../shared/app.ts';
import { parser } from '../../../shared/schema.ts';
import { type Db, type Tx, done, toColumns } from '../../../storage/postgres.ts';
import * as refunds from '../model/refunds.ts';

export const NOTHING_ANSWERED: refunds.RefundSettings = {
  answers: 'off',
  customersConsent: false,
  sampleContentProvided: false,
  products: [],
};

const products = parser(Type.Array(refunds.RefundProduct), 'purchase_refund_answers products');

export async function selectRefundSettings(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<refunds.RefundSettings> {
  const [row] = await db<(Omit<refunds.RefundSettings, 'products'> & { products: unknown })[]>`
    SELECT answers, customers_consent AS "customersConsent",
      sample_content AS "sampleContentProvided", products
    FROM purchase_refund_answers WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return row ? { ...row, products: products.parse(row.products) } : NOTHING_ANSWERED;
}

export const saveRefundSettings = (
  tx: Tx,
  { orgId, appId }: AppScope,
  settings: refunds.RefundSettings,
  at: Date,
) =>
  done(tx`
    INSERT INTO purchase_refund_answers (app_id, org_id, answers, customers_consent,
      sample_content, products, updated_at)
    VALUES (${appId}, ${orgId}, ${settings.answers}, ${settings.customersConsent},
      ${settings.sampleContentProvided}, ${JSON.stringify(settings.products)}::text::jsonb, ${at})
    ON CONFLICT (app_id) DO UPDATE SET answers = excluded.answers,
      customers_consent = excluded.customers_consent, sample_content = excluded.sample_content,
      products = excluded.products, updated_at = excluded.updated_at`);

export const selectRefundPeople = (db: Db, { orgId, appId }: AppScope) => db<
  refunds.RefundPerson[]
>`
  SELECT user_id AS "userId", answers, customers_consent AS "customersConsent"
  FROM purchase_refund_people WHERE org_id = ${orgId} AND app_id = ${appId}
  ORDER BY user_id LIMIT ${refunds.MAX_PEOPLE}`;

export const upsertRefundPerson = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { userId, answers, customersConsent }: refunds.RefundPerson,
  updatedAt: Date,
) => {
  const row = tx(toColumns({ orgId, appId, userId, answers, customersConsent, updatedAt }));
  return done(tx`
    INSERT INTO purchase_refund_people ${row}
    ON CONFLICT (org_id, app_id, user_id) DO UPDATE SET ${row}`);
};

export const deleteRefundPerson = (db: Db, { orgId, appId }: AppScope, userId: string) =>
  done(db`
    DELETE FROM purchase_refund_people WHERE org_id = ${orgId} AND app_id = ${appId}
      AND user_id = ${userId}`);

/** Requests not answered by a setting that may have changed. */
export const reopenRefundRequests = (tx: Tx, { orgId, appId }: AppScope, now: Date) =>
  done(tx`
    UPDATE purchase_refund_requests SET state = 'waiting', why = NULL, run_ensured_at = NULL
    WHERE org_id = ${orgId} AND app_id = ${appId} AND state = 'not_answered'
      AND why IN ('off', 'no_consent') AND outcome IS NULL AND answer_by > ${now}`);
