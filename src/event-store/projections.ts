/** For counting threads: loads neither DuckDB nor the database. */
export {
  EVENT_COLUMNS,
  type EventRow,
  foldCountry,
  isReserved,
  RESERVED_SQL,
} from './event/columns.ts';
export type { Sender } from './projection/format.ts';
export { openProjection } from './projection/open.ts';
export {
  type Projection,
  type ProjectionOrigin,
  type Property,
  readProjection,
  type Section,
} from './projection/projection.ts';
