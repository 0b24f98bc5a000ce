import { newId } from '../../shared/ids.ts';
import type { Db, Sql, Tx } from '../../storage/postgres.ts';
import type { RangeCounts } from '../file/range-counts.ts';

/** From `firstRow` (0-based) on. */
export type SourceFile = {
  path: string;
  firstRow: number;
  rows: number;
  level: number;
  format: number;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  minReceivedAt: Date;
  maxReceivedAt: Date;
  developmentRows: number;
  /** Null unless requested, and in shared files. */
  counts: RangeCounts | null;
  projection: string | null;
  /** Object keys; of the properties that the window asks for. */
  columns: readonly string[];
};

export type SourceWindow = {
  orgId: string;
  appId: string;
  fromMs: number;
  toMs: number;
  withCounts?: boolean;
  withProjections?: boolean;
  /** Whose columns are opened with projections. */
  properties?: readonly string[];
  newest?: number;
};

export function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin('isolation level repeatable read read only', read).then((value) => value as T);
}

export async function insertLease(db: Db, orgId: string, seconds: number): Promise<string> {
  const leaseId = newId('lea');
  await db`
    INSERT INTO event_leases (lease_id, org_id, expires_at)
    VALUES (${leaseId}, ${orgId}, now() + ${seconds} * interval '1 second')`;
  return leaseId;
}

export async function renewLease(db: Db, leaseId: string, seconds: number): Promise<void> {
  await db`
    UPDATE event_leases SET expires_at = now() + ${seconds} * interval '1 second'
    WHERE lease_id = ${leaseId}`;
}

export async function deleteLease(db: Db, leaseId: string): Promise<void> {
  await db`DELETE FROM event_leases WHERE lease_id = ${leaseId}`;
}
