import type { DuckDBConnection } from '@duckdb/node-api';
import {
  PROJECTED_COLUMNS,
  type Projection,
  projectSql,
  readProjection,
} from '../../event-store/read.ts';
import { hasAny, isInside } from '../file-facts.ts';
import type { EventSelection } from '../selection/selection.ts';
import { type EventFile, type EventSource, fileEvents } from '../source.ts';
import { projectLog } from './log-rows.ts';
import type { CountedPart } from './share.ts';
import { type SmallFile, smallFiles } from './small-files.ts';

/** The projection of a file, or of rows that have none yet. */
export type Part = CountedPart & { file: EventFile | null };

/** Which projections can answer a question. */
export type Suits = {
  /** Whether what is said of people must be of rows in the window alone, which projections do not know. */
  wantsInside?: boolean;
  /** Whether the properties that are asked for are there; absent when none is. */
  hasProperties?: (projection: Projection) => boolean;
};

/** Rows without a projection that are given one for a question; of more the question is DuckDB's. */
const MAX_BARE_ROWS = 2_000_000;

/** Rows that were projected for this question; null where they could not be. */
const partOf = (bytes: Uint8Array<ArrayBuffer> | null): Part | null =>
  bytes && { projection: readProjection(bytes, true), file: null };

/** What the conditions leave of files as one projection; null where there can be none. */
async function projectFiles(
  connection: DuckDBConnection,
  source: EventSource,
  selection: EventSelection,
  withProps: boolean,
): Promise<Part[] | null> {
  const from = fileEvents(source, PROJECTED_COLUMNS, selection);
  if (from === null) return [];
  const part = partOf(await projectSql(connection, from, { withProps }));
  return part && [part];
}

/** A file of few rows, or of them what lies in the window. */
function smallPart(
  file: EventFile,
  { rows, projection }: SmallFile,
  cut: EventSelection | null,
): Part | null {
  if (cut === null) return { projection, file };
  const { fromUs = -Infinity, beforeUs = Infinity } = cut;
  return partOf(rows.project({ fromUs, beforeUs }));
}

/** Files with a projection that suits, with few rows, and all others. */
async function partsOfFiles(
  connection: DuckDBConnection,
  source: EventSource,
  selection: EventSelection,
  { wantsInside = false, hasProperties }: Suits,
): Promise<{ parts: Part[]; bare: EventFile[]; isProjected: boolean }> {
  const parts: Part[] = [];
  const others: EventFile[] = [];
  const isCut = (file: EventFile) => wantsInside && !isInside(file, selection);
  for (const file of source.files.filter((one) => hasAny(source, one))) {
    const { projection } = file;
    const suits = projection && !isCut(file) && (hasProperties?.(projection) ?? true);
    if (suits) parts.push({ projection, file });
    else others.push(file);
  }
  const isProjected = parts.length > 0;
  const small = await smallFiles(connection, source, others);
  const bare: EventFile[] = [];
  for (const file of others) {
    const read = small.get(file);
    const part = read ? smallPart(file, read, isCut(file) ? selection : null) : null;
    if (part) parts.push(part);
    else bare.push(file);
  }
  return { parts, bare, isProjected };
}

/**
 * All that a source has, as projections: those of files as they are, or kept in memory where there are
 * few rows, and what the conditions leave of the rest of the files and of the log as one more each.
 * Null where DuckDB has to answer: without projections there is nothing to gain, and they do not know
 * the devices of erased people, nor of those whose id is a user's too.
 */
export async function partsOf(
  { connection, source }: { connection: DuckDBConnection; source: EventSource },
  selection: EventSelection,
  suits: Suits = {},
): Promise<Part[] | null> {
  if (source.erased.length > 0 || source.sharesIds) return null;
  const { hasProperties } = suits;
  const { parts, bare, isProjected } = await partsOfFiles(connection, source, selection, suits);
  const bareRows = bare.reduce((sum, { rows }) => sum + rows, 0);
  if (bareRows > MAX_BARE_ROWS || (bareRows > 0 && !isProjected)) return null;
  const withProps = hasProperties !== undefined;
  const ofBare = { ...source, files: bare };
  const ofFiles = await projectFiles(connection, ofBare, selection, withProps);
  const ofLog = ofFiles && projectLog(source, selection, withProps);
  if (ofFiles === null || ofLog === null) return null;
  const all = [...parts, ...ofFiles, ...ofLog.map((projection) => ({ projection, file: null }))];
  const isKnown = ({ projection }: Part) => hasProperties?.(projection) ?? true;
  return all.every(isKnown) ? all : null;
}
