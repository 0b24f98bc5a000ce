import type { PlayKind } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import { type Db, done } from '../../../storage/postgres.ts';
import { isOfLiveApp } from '../../../storage/rows-of-app.ts';
import { tokenHash } from './purchases-queries.ts';

type Due = { now: Date; limit: number };

/** Connected apps of which Google Play is to be asked something. */
export const selectAppsDue = (db: Db, { now, limit }: Due) => db<AppScope[]>`
  SELECT c.org_id AS "orgId", c.app_id AS "appId" FROM play_connections c
  WHERE ${isOfLiveApp(db, 'c')} AND (c.voids_at <= ${now}
    OR EXISTS (SELECT FROM play_purchases p WHERE p.app_id = c.app_id AND p.ask_at <= ${now})
    OR EXISTS (SELECT FROM play_purchases p
      WHERE p.app_id = c.app_id AND p.acknowledge_at <= ${now}))
  ORDER BY least(c.voids_at, c.last_verified_at), c.app_id LIMIT ${limit}`;

export type TokenDue = AppScope & { purchaseToken: string; kind: PlayKind; tries: number };

export type AskDue = TokenDue & {
  /** Google has answered about it before. */
  isKnown: boolean;
  isReplaced: boolean;
  settledOrders: string[];
};

export const selectAsksDue = (db: Db, { orgId, appId }: AppScope, { now, limit }: Due) =>
  db<AskDue[]>`
    SELECT org_id AS "orgId", app_id AS "appId", purchase_token AS "purchaseToken", kind,
      ask_tries AS tries, chain_id IS NOT NULL AS "isKnown", priced_orders AS "settledOrders",
      EXISTS (SELECT FROM play_purchases r WHERE r.app_id = p.app_id
        AND r.replaces_hash = p.token_hash) AS "isReplaced"
    FROM play_purchases p WHERE org_id = ${orgId} AND app_id = ${appId} AND ask_at <= ${now}
    ORDER BY ask_at LIMIT ${limit}`;

export const selectAcknowledgementsDue = (
  db: Db,
  { orgId, appId }: AppScope,
  { now, limit }: Due,
) => db<TokenDue[]>`
  SELECT org_id AS "orgId", app_id AS "appId", purchase_token AS "purchaseToken", kind,
    acknowledge_tries AS tries
  FROM play_purchases WHERE org_id = ${orgId} AND app_id = ${appId} AND acknowledge_at <= ${now}
  ORDER BY acknowledge_at LIMIT ${limit}`;

type Retry = {
  /** Null: not again by itself. */
  nextAt: Date | null;
  error: string | null;
};

const isToken = (db: Db, { orgId, appId, purchaseToken }: Omit<TokenDue, 'kind' | 'tries'>) => db`
  org_id = ${orgId} AND app_id = ${appId} AND token_hash = ${tokenHash(purchaseToken)}`;

export const recordAcknowledgement = (
  db: Db,
  due: Omit<TokenDue, 'kind' | 'tries'>,
  { nextAt, error }: Retry,
) =>
  done(db`
    UPDATE play_purchases SET acknowledge_at = ${nextAt}, acknowledge_error = ${error},
      acknowledge_tries = acknowledge_tries + 1
    WHERE ${isToken(db, due)}`);

/** A hint since `askedAt` stays due. */
export const postponeAsk = (
  db: Db,
  due: Omit<TokenDue, 'kind' | 'tries'>,
  { nextAt, error, askedAt }: Retry & { askedAt: Date },
) =>
  done(db`
    UPDATE play_purchases SET ask_error = ${error}, ask_tries = ask_tries + 1,
      ask_at = CASE WHEN hinted_at > ${askedAt} THEN ask_at ELSE ${nextAt} END
    WHERE ${isToken(db, due)}`);

export type Hint = AppScope & { purchaseToken: string; kind: PlayKind; at: Date };

/** The first of several stays due. */
export const hintAtToken = (db: Db, { orgId, appId, purchaseToken, kind, at }: Hint) =>
  done(db`
    INSERT INTO play_purchases AS known (app_id, org_id, token_hash, purchase_token, kind,
      first_seen_at, ask_at, hinted_at)
    VALUES (${appId}, ${orgId}, ${tokenHash(purchaseToken)}, ${purchaseToken}, ${kind}, ${at},
      ${at}, ${at})
    ON CONFLICT (app_id, token_hash) DO UPDATE SET hinted_at = excluded.hinted_at,
      ask_at = least(known.ask_at, excluded.ask_at), ask_tries = 0`);
