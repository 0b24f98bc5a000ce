import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import type { EventFile } from '../file/event-file.ts';

const MB = 1024 * 1024;
export const FAN_IN = 8;
/** Largest shared file the compactor produces; splitting handles larger ones. */
const COALESCED_BYTES = 48 * MB;
const COALESCED_ROWS = 1_500_000;
const SMALLEST_TIER_BYTES = 256 * 1024;
/** From this size a single-app file is left alone. */
export const WHOLE_FILE_BYTES = 8 * MB;
const MERGED_BYTES = 256 * MB;
const MERGED_ROWS = 8_000_000;
/** Grace for late events before a day closes. */
const CLOSED_AFTER_MS = 2 * HOUR_MS;
const SPLIT_ROWS = 2_000_000;
/** Rows DuckDB 1.5 sorts in memory even when spilling. */
const SORTED_ROWS = 122_880;
/** For sorted rows; row groups in flight take as much again. */
const SORTED_BYTES = 96 * MB;
const ROW_BYTES = 400;
/** Assumed compression where the file records no size. */
const PACKED = 10;

export type FileSize = Pick<EventFile, 'fileId' | 'rows' | 'bytes' | 'propsBytes'>;

const sumRows = (files: readonly FileSize[]) => files.reduce((sum, file) => sum + file.rows, 0);

export function isSortable(files: readonly FileSize[]): boolean {
  const rows = sumRows(files);
  const props = files.reduce((sum, file) => sum + (file.propsBytes ?? PACKED * file.bytes), 0);
  return (ROW_BYTES + props / Math.max(rows, 1)) * Math.min(rows, SORTED_ROWS) <= SORTED_BYTES;
}

const canGrow = (file: FileSize) => isSortable([file, file]);

function toTier({ bytes }: FileSize): number {
  const steps = Math.log(Math.max(bytes, 1) / SMALLEST_TIER_BYTES) / Math.log(FAN_IN);
  return Math.max(0, Math.ceil(steps));
}

/** Skips unsortable files; at least two or none. */
function longestWithin<T extends FileSize>(files: readonly T[], bytes: number, rows: number): T[] {
  const group: T[] = [];
  let sum = { bytes: 0, rows: 0 };
  for (const file of files.filter(canGrow)) {
    if (!isSortable([...group, file])) continue;
    sum = { bytes: sum.bytes + file.bytes, rows: sum.rows + file.rows };
    if (sum.bytes > bytes || sum.rows > rows) break;
    group.push(file);
  }
  return group.length < 2 ? [] : group;
}

/** Eight of one size tier: few rewrites, few files. */
export function filesToCoalesce<T extends FileSize>(files: readonly T[]): T[] {
  const growing = files.filter(
    (file) => file.bytes < COALESCED_BYTES / 2 && file.rows < COALESCED_ROWS / 2 && canGrow(file),
  );
  const tiers = Map.groupBy(growing, toTier);
  for (const [, tier] of [...tiers].sort(([a], [b]) => a - b)) {
    if (tier.length < FAN_IN) continue;
    const group = longestWithin(tier.slice(0, 4 * FAN_IN), COALESCED_BYTES, COALESCED_ROWS);
    if (group.length > 0) return group;
  }
  return [];
}

export function openSinceMs(nowMs: number): number {
  return Math.floor((nowMs - CLOSED_AFTER_MS) / DAY_MS) * DAY_MS;
}

/** From before the oldest open day, or all once large apps make up a quarter. */
export function dueToSplit(
  files: readonly EventFile[],
  heavyBytes: number,
  nowMs: number,
): readonly EventFile[] {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  const isHeavy = heavyBytes >= 4 * WHOLE_FILE_BYTES && heavyBytes >= total / 4;
  const openSince = openSinceMs(nowMs);
  return isHeavy ? files : files.filter((file) => file.createdAt.getTime() < openSince);
}

export const isOneSplit = (files: readonly FileSize[]): boolean =>
  files.length === 1 || (sumRows(files) <= SPLIT_ROWS && isSortable(files));

export function filesToSplit(...all: Parameters<typeof dueToSplit>): EventFile[][] {
  const portions: EventFile[][] = [];
  for (const file of dueToSplit(...all)) {
    const last = portions.at(-1);
    if (last && isOneSplit([...last, file])) last.push(file);
    else portions.push([file]);
  }
  return portions;
}

const toMonth = (date: Date) => date.toISOString().slice(0, 7);

function isClosed(file: EventFile, nowMs: number): boolean {
  return file.maxOccurredAt.getTime() <= openSinceMs(nowMs);
}

/** Once there are eight, or the month is over. */
function monthGroups(files: readonly EventFile[], nowMs: number): EventFile[][] {
  const small = files.filter((file) => file.bytes < WHOLE_FILE_BYTES);
  const openMonth = toMonth(new Date(openSinceMs(nowMs)));
  return [...Map.groupBy(small, (file) => toMonth(file.minOccurredAt))]
    .filter(([month, group]) => group.length >= (month < openMonth ? 2 : FAN_IN))
    .map(([, group]) => longestWithin(group, MERGED_BYTES, MERGED_ROWS));
}

function dayGroups(files: readonly EventFile[]): EventFile[][] {
  const whole = files.filter((file) => file.bytes >= WHOLE_FILE_BYTES && file.day !== null);
  return [...Map.groupBy(whole, (file) => file.day).values()].map((group) =>
    longestWithin(group, MERGED_BYTES, MERGED_ROWS),
  );
}

export function filesToMerge(files: readonly EventFile[], nowMs: number): EventFile[][] {
  const closed = files.filter((file) => file.level > 0 && isClosed(file, nowMs));
  return [...monthGroups(closed, nowMs), ...dayGroups(closed)].filter((group) => group.length > 1);
}
