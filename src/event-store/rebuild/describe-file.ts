import { must } from '../../shared/assert.ts';
import type { NewEventFile } from '../file/event-file.ts';
import { footerSql, footerStats } from '../file/file-stats.ts';
import type { FileLevel } from '../objects/names.ts';
import { utcDay } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { countValues } from '../parquet/count-values.ts';
import { eventFilesSql } from '../parquet/read-files.ts';
import { appRanges, readStats } from '../parquet/write-file.ts';
import { NOT_YET } from '../projection/write.ts';
import type { FoundFile } from './find-files.ts';

type Sums = Pick<NewEventFile, 'minOccurredAt' | 'maxOccurredAt'>;

/** The bound is a millisecond after the last row. */
const lastDay = ({ maxOccurredAt }: Sums) => utcDay(new Date(maxOccurredAt.getTime() - 1));

/** Readers of levels above 0 rely on a single app. */
function toPlace(
  level: number,
  apps: number,
  sums: Sums,
): { level: FileLevel; day: string | null } {
  if (level === 0 || apps > 1) return { level: 0, day: null };
  const day = utcDay(sums.minOccurredAt);
  return day === lastDay(sums) ? { level: 1, day } : { level: 2, day: null };
}

export async function describeFile(
  { connection, objects }: Pick<Compactor, 'connection' | 'objects'>,
  { fileId, path, bytes, format, level: named }: FoundFile,
): Promise<NewEventFile | null> {
  const local = await objects.localPath(path);
  const from = eventFilesSql([{ path: local, format }]);
  const stats = await readStats(connection, from);
  const total = must(stats.pop(), 'the sums of all rows');
  if (total.rows === 0) return null;
  const { level, day } = toPlace(named, stats.length, total);
  const [owner] = level === 0 ? [] : stats;
  const counts = owner ? await countValues(connection, from, total.rows) : null;
  const footer = await connection.runAndReadAll(footerSql(local));
  return {
    ...total,
    ...NOT_YET,
    fileId,
    orgId: owner?.orgId ?? null,
    appId: owner?.appId ?? null,
    level,
    format,
    day,
    path,
    bytes,
    stats: footerStats(footer.getRowObjectsJson()),
    apps: appRanges(stats, counts),
  };
}
