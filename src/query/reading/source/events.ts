import {
  type AppAlias,
  type ErasedAs,
  type EventRow,
  type FileUses,
  isReserved,
  RESERVED_SQL,
  type SnapshotFile,
} from '../../../event-store/read.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import { textList } from '../../../storage/duckdb-literal.ts';
import { rowMatcher } from '../../selection/condition-match.ts';
import { whereSql } from '../../selection/condition-sql.ts';
import { membersIn } from '../../selection/conditions.ts';
import { dimensionSql } from '../../selection/dimension.ts';
import { DUCKDB, type SqlDialect } from '../../selection/property.ts';
import { conditionsOfEvents, type EventSelection } from '../../selection/selection.ts';
import { LAKE } from '../../selection/trino.ts';
import type { Lake } from './lake.ts';
import { hasAny, isInside, rowsInScope } from './files.ts';

export type EventFile = Pick<
  SnapshotFile,
  | 'path'
  | 'level'
  | 'format'
  | 'rows'
  | 'minOccurredAt'
  | 'maxOccurredAt'
  | 'developmentRows'
  | 'counts'
  | 'projection'
>;

export type EventSource = {
  orgId: string;
  appId: string;
  environment: EnvironmentScope;
  files: readonly EventFile[];
  uses?: FileUses;
  hotRows: readonly EventRow[];
  /** Aliases made after some of the files were written. */
  lateAliases: readonly AppAlias[];
  sharesIds: boolean;
  erased: readonly string[];
  erasedAs?: ReadonlyMap<string, ErasedAs>;
  /** Everything received before this time is in the source; milliseconds since 1970. */
  dataThroughMs: number;
  lake?: Lake;
};

export type SelectedFile = EventFile & { isInside: boolean };

export type Events = {
  source: EventSource;
  selection: EventSelection;
  files: readonly SelectedFile[];
  sql: {
    dialect: SqlDialect;
    window: readonly string[];
    others: readonly string[];
    columns: readonly string[];
  };
};

export function selectEvents(source: EventSource, selection: EventSelection): Events {
  const { fromUs, beforeUs, names, breakdown, crossed, personIds } = selection;
  const dialect = source.lake ? LAKE : DUCKDB;
  const conditions = conditionsOfEvents(selection).map((where) => whereSql(where, dialect));
  return {
    source,
    selection,
    files: source.files
      .filter((file) => hasAny(source, file))
      .map((file) => ({ ...file, isInside: isInside(file, selection) })),
    sql: {
      dialect,
      window: [
        ...(fromUs === undefined ? [] : [`occurred_at >= ${dialect.instant(fromUs)}`]),
        ...(beforeUs === undefined ? [] : [`occurred_at < ${dialect.instant(beforeUs)}`]),
      ],
      others: [
        ...(names ? [`name IN (${textList(names)})`] : []),
        ...conditions.map(({ condition }) => condition),
        // Files are sorted by person, so most row groups are skipped.
        ...(personIds ? [`person_id IN (${textList(personIds)})`] : []),
      ],
      columns: [
        ...conditions.flatMap(({ columns }) => columns),
        ...(breakdown ? [dimensionSql(breakdown, dialect).column] : []),
        ...(crossed ? [dimensionSql(crossed, dialect).column] : []),
      ],
    },
  };
}

export const countedFrom = ({ source, files }: Events): number =>
  files.reduce((sum, file) => sum + rowsInScope(source, file), source.hotRows.length);

export const NOT_RESERVED_SQL = `NOT ${RESERVED_SQL}`;

/** People are for SQL and projections. */
export function matchingHotRows({ source, selection }: Events): EventRow[] {
  const { appId, orgId, hotRows } = source;
  const { names, ofClients, fromUs = -Infinity, beforeUs = Infinity } = selection;
  const tests = conditionsOfEvents(selection)
    .filter((where) => membersIn(where).length === 0)
    .map(rowMatcher);
  return hotRows.filter(
    (row) =>
      row.appId === appId &&
      row.orgId === orgId &&
      row.occurredAtUs >= fromUs &&
      row.occurredAtUs < beforeUs &&
      (names === undefined || names.includes(row.name)) &&
      !(ofClients === true && isReserved(row.name)) &&
      tests.every((holds) => holds(row)),
  );
}
