export { localFiles } from './catalogue/event-sources.ts';
export {
  deleteLease,
  inSnapshot,
  insertLease,
  renewLease,
} from './catalogue/sources-queries.ts';
export { PropertyUses } from './columns/uses.ts';
export {
  columnSql,
  derivedSql,
  EVENT_COLUMN_NAMES,
  EVENT_COLUMN_NAMES_SQL,
  EVENT_FILE_COLUMNS,
  EVENT_TABLE_SQL,
  type EventRow,
  isReserved,
  NOBODY_SQL,
  personKeySql,
  RESERVED_SQL,
} from './event/columns.ts';
export type { Alias, AppAlias, ErasedAs, ErasedId } from './event/person.ts';
export {
  type FileStats,
  footerSql,
  footerStats,
  holdsOnly,
  parseFileStats,
  writtenStats,
} from './file/file-stats.ts';
export type { RangeCounts } from './file/range-counts.ts';
export type { SnapshotFile } from './hot/hot-events.ts';
export { HotEvents } from './hot/hot-events.ts';
export { appendItems, openEngine } from './parquet/engine.ts';
export { loadRows } from './parquet/load-rows.ts';
export { eventFilesSql, type ReadableFile, readEventFilesSql } from './parquet/read-files.ts';
export {
  createTextTable,
  DEVICE_SQL,
  HOT_EVENTS,
  loadAliases,
  loadErased,
  notErasedInAppSql,
  notErasedSql,
  SHARED_EVENTS,
  withAliases,
} from './parquet/tables.ts';
export type { Built } from './projection/build.ts';
export { builtBytes, readBuilt } from './projection/column.ts';
export type { FileRows } from './projection/file-rows.ts';
export { orderByFirstWord } from './projection/order.ts';
export {
  buildRows,
  buildSql,
  keyWords,
  PROJECTED_COLUMNS,
  PROJECTED_FIELDS,
  type ProjectedRow,
} from './projection/project.ts';
export type { Projection, Section } from './projection/projection.ts';
export type { FileUses } from './sums/file-uses.ts';
export { readFileRows, readKeys } from './projection/read-rows.ts';
