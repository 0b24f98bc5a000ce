import { onlyRow } from '../../shared/assert.ts';
import { DAY_MS } from '../../shared/time.ts';
import { localFiles } from '../catalogue/event-sources.ts';
import type { AppRange, EventFile } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { countCoveredSql, coveredSql } from './rows-sql.ts';

export type Extent = Pick<EventFile, 'path' | 'format' | 'minReceivedAt' | 'maxReceivedAt'> & {
  level: number;
  apps: readonly Pick<AppRange, 'appId' | 'minOccurredAt' | 'maxOccurredAt'>[];
};

const KEPT_MS = 8 * DAY_MS;

function isReceivedWithin(a: Extent, b: Extent, slackMs: number): boolean {
  return (
    a.minReceivedAt.getTime() - slackMs <= b.maxReceivedAt.getTime() &&
    b.minReceivedAt.getTime() <= a.maxReceivedAt.getTime() + slackMs
  );
}

function mayShareRows(a: Extent, b: Extent): boolean {
  if (!isReceivedWithin(a, b, 0)) return false;
  const ranges = new Map(b.apps.map((range) => [range.appId, range]));
  return a.apps.some((range) => {
    const other = ranges.get(range.appId);
    return (
      other !== undefined &&
      range.minOccurredAt <= other.maxOccurredAt &&
      other.minOccurredAt <= range.maxOccurredAt
    );
  });
}

export const sharingRows = <T extends Extent>(file: Extent, others: readonly T[]): T[] =>
  others.filter((other) => mayShareRows(file, other));

/** Only compaction output can repeat another host's events. */
function mayShareEvents(a: Extent, b: Extent): boolean {
  if (a.level > 0 || !isReceivedWithin(a, b, KEPT_MS)) return false;
  const appIds = new Set(b.apps.map(({ appId }) => appId));
  return a.apps.some(({ appId }) => appIds.has(appId));
}

/** The table lasts until the next call. */
export async function countCovered(
  { connection, objects }: Pick<Compactor, 'connection' | 'objects'>,
  file: Extent,
  others: readonly Extent[],
): Promise<number> {
  const local = (files: readonly Extent[]) => localFiles(objects, files);
  const rows = await local(sharingRows(file, others));
  const events = await local(others.filter((other) => mayShareEvents(file, other)));
  if (rows.length + events.length === 0) return 0;
  const [own] = await local([file]);
  await connection.run(coveredSql(own ?? file, { rows, events }));
  const reader = await connection.runAndReadAll(countCoveredSql(own ?? file));
  return Number(onlyRow(reader.getRowObjects()).rows);
}
