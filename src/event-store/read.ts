export { localFiles, type SourceFile } from './catalogue/event-sources.ts';
export type { RangeCounts } from './catalogue/range-counts.ts';
export { deleteLease, inSnapshot, insertLease, renewLease } from './catalogue/sources-queries.ts';
export {
  columnSql,
  derivedSql,
  EVENT_COLUMN_NAMES,
  EVENT_COLUMN_NAMES_SQL,
  EVENT_TABLE_SQL,
  type EventRow,
  personKeySql,
  RESERVED_SQL,
} from './columns.ts';
export { HotEvents } from './hot/hot-events.ts';
export { appendTexts } from './parquet/engine.ts';
export { loadRows } from './parquet/load-rows.ts';
export { eventFilesSql, type ReadableFile } from './parquet/read-files.ts';
