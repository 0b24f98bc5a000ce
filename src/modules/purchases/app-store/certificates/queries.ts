import type { CertificateChain } from '../../../../providers/store-server/port.ts';
import { type Db, done, column } from '../../../../storage/postgres.ts';

export const insertChain = (db: Db, chain: CertificateChain, at: Date) =>
  done(db`
    INSERT INTO store_certificate_chains (fingerprint, leaf, intermediate, first_seen_at)
    VALUES (${chain.fingerprint}, ${chain.leaf}, ${chain.intermediate}, ${at})
    ON CONFLICT DO NOTHING`);

export const selectRevokedFingerprints = (db: Db) =>
  column(db<{ fingerprint: string }[]>`
    SELECT fingerprint FROM store_certificate_chains WHERE state = 'revoked'`);

export const selectUncheckedChains = async (
  db: Db,
  options: { before: Date; failedBefore: Date; limit: number },
) => db<CertificateChain[]>`
    SELECT fingerprint, leaf, intermediate FROM store_certificate_chains
    WHERE state <> 'revoked' AND (checked_at IS NULL OR checked_at < ${options.before}
      OR (last_error IS NOT NULL AND checked_at < ${options.failedBefore}))
    ORDER BY checked_at NULLS FIRST LIMIT ${options.limit}`;

export type ChainVerdict = {
  /** Null keeps the state: no usable answer from the responder. */
  state: 'good' | 'revoked' | null;
  error: string | null;
  at: Date;
};

export const recordChainVerdict = (db: Db, fingerprint: string, verdict: ChainVerdict) =>
  done(db`
    UPDATE store_certificate_chains SET state = coalesce(${verdict.state}, state),
      checked_at = ${verdict.at}, last_error = ${verdict.error}
    WHERE fingerprint = ${fingerprint}`);
