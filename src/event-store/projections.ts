/** For counting threads: loads neither DuckDB nor the database. */
export {
  EVENT_COLUMNS,
  type EventRow,
  isReserved,
  RESERVED_SQL,
} from './event/columns.ts';
export { copyKey, KEY_WORDS, type Sender } from './projection/format.ts';
export { openFrom } from './projection/open.ts';
export type {
  ColumnValues,
  Projection,
  ProjectionOrigin,
  Property,
  Section,
} from './projection/projection.ts';
