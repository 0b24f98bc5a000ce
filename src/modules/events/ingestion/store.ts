import type { Tx } from '../../../storage/postgres.ts';
import type { IngestionCount } from './counts.ts';

export async function addIngestion(tx: Tx, counts: readonly IngestionCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx`
    INSERT INTO event_ingestion_hours AS h
      (app_id, org_id, hour, accepted, duplicates, shifted, without_ts, too_old)
    SELECT * FROM unnest(
      ${counts.map((count) => count.appId)}::text[],
      ${counts.map((count) => count.orgId)}::text[],
      ${counts.map((count) => new Date(count.hourMs))}::timestamptz[],
      ${counts.map((count) => count.accepted)}::bigint[],
      ${counts.map((count) => count.duplicates)}::bigint[],
      ${counts.map((count) => count.shifted)}::bigint[],
      ${counts.map((count) => count.withoutTs)}::bigint[],
      ${counts.map((count) => count.tooOld)}::bigint[])
    ON CONFLICT (app_id, hour) DO UPDATE SET
      accepted = h.accepted + excluded.accepted,
      duplicates = h.duplicates + excluded.duplicates,
      shifted = h.shifted + excluded.shifted,
      without_ts = h.without_ts + excluded.without_ts,
      too_old = h.too_old + excluded.too_old`;
}
