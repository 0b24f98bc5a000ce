import { HOUR_MS } from '../../shared/time.ts';
import { type EventRow, isReserved } from '../event/columns.ts';
import type { ImportedRows } from '../imports/imported-rows.ts';

/** Production, except `development`. */
export type IngestionCount = {
  orgId: string;
  appId: string;
  hourMs: number;
  accepted: number;
  duplicates: number;
  shifted: number;
  withoutTs: number;
  tooOld: number;
  development: { accepted: number; duplicates: number; corrected: number };
};

const noCounts = (of: Pick<IngestionCount, 'orgId' | 'appId' | 'hourMs'>): IngestionCount => ({
  ...of,
  accepted: 0,
  duplicates: 0,
  shifted: 0,
  withoutTs: 0,
  tooOld: 0,
  development: { accepted: 0, duplicates: 0, corrected: 0 },
});

export function countIngestion(
  received: readonly EventRow[],
  duplicates: readonly EventRow[],
  { importOf }: Pick<ImportedRows, 'importOf'>,
): IngestionCount[] {
  const counts = new Map<string, IngestionCount>();
  let last: IngestionCount | null = null;
  const countOf = ({ orgId, appId, receivedAtUs }: EventRow): IngestionCount => {
    const hourMs = Math.floor(receivedAtUs / 1_000 / HOUR_MS) * HOUR_MS;
    // Neighbours usually share a batch.
    if (last?.appId === appId && last.hourMs === hourMs) return last;
    const key = `${appId} ${hourMs}`;
    last = counts.get(key) ?? noCounts({ orgId, appId, hourMs });
    counts.set(key, last);
    return last;
  };
  const isSent = (row: EventRow) => !isReserved(row.name) && importOf(row) === undefined;
  for (const row of received) {
    if (!isSent(row)) continue;
    const count = countOf(row);
    if (row.environment === 'development') {
      count.development.accepted += 1;
      if (row.timeFlag !== null) count.development.corrected += 1;
      continue;
    }
    count.accepted += 1;
    if (row.timeFlag === 'shifted') count.shifted += 1;
    if (row.timeFlag === 'no_ts') count.withoutTs += 1;
    if (row.timeFlag === 'too_old') count.tooOld += 1;
  }
  for (const row of duplicates) {
    if (!isSent(row)) continue;
    const count = countOf(row);
    (row.environment === 'development' ? count.development : count).duplicates += 1;
  }
  return [...counts.values()];
}
