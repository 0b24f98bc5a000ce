import type { DuckDBConnection } from '@duckdb/node-api';
import {
  PROJECTED_COLUMNS,
  type Projection,
  projectRows,
  projectSql,
  readProjection,
} from '../../event-store/read.ts';
import { hasAny } from '../file-facts.ts';
import {
  type Conditions,
  type EventFile,
  type EventSource,
  fileEvents,
  hotRowsOf,
} from '../source.ts';
import type { CountedPart } from './share.ts';

/** The projection of a file, or of rows that have none yet. */
export type Part = CountedPart & { file: EventFile | null };

/** Which projections can answer a question. */
type Suits = {
  isUsable?: (file: EventFile) => boolean;
  /** Whether the properties that are asked for are there; absent when none is. */
  hasProperties?: (projection: Projection) => boolean;
};

/** Rows without a projection that are given one for a question; of more the question is DuckDB's. */
const MAX_BARE_ROWS = 2_000_000;

async function projectFiles(
  connection: DuckDBConnection,
  source: EventSource,
  conditions: Conditions,
  withProps: boolean,
): Promise<Uint8Array<ArrayBuffer> | null | 'none'> {
  const from = fileEvents(source, PROJECTED_COLUMNS, conditions);
  return from === null ? 'none' : projectSql(connection, from, { withProps });
}

/**
 * All that a source has, as projections: those of files as they are, and what the conditions leave of
 * the rest of the files and of the log as one more each. Null where DuckDB has to answer: without
 * projections there is nothing to gain, and they do not know the devices of erased people.
 */
export async function partsOf(
  connection: DuckDBConnection,
  source: EventSource,
  conditions: Pick<Conditions, 'names' | 'fromUs' | 'beforeUs'>,
  { isUsable = () => true, hasProperties }: Suits = {},
): Promise<Part[] | null> {
  if (source.erased.length > 0) return null;
  const parts: Part[] = [];
  const bare: EventFile[] = [];
  for (const file of source.files.filter((one) => hasAny(source, one))) {
    const { projection } = file;
    const suits = projection && isUsable(file) && (hasProperties?.(projection) ?? true);
    if (suits) parts.push({ projection, file });
    else bare.push(file);
  }
  if (parts.length === 0) return null;
  if (bare.reduce((sum, { rows }) => sum + rows, 0) > MAX_BARE_ROWS) return null;
  const withProps = hasProperties !== undefined;
  const ofBare = { ...source, files: bare };
  const ofFiles = await projectFiles(connection, ofBare, conditions, withProps);
  if (ofFiles === null) return null;
  if (ofFiles !== 'none') parts.push({ projection: readProjection(ofFiles, true), file: null });
  const hot = hotRowsOf(source, conditions);
  if (hot.length > 0) {
    const ofLog = projectRows(hot, { withProps });
    if (ofLog === null) return null;
    parts.push({ projection: readProjection(ofLog, true), file: null });
  }
  const isKnown = ({ projection }: Part) => hasProperties?.(projection) ?? true;
  return parts.every(isKnown) ? parts : null;
}
