import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type Built,
  buildSql,
  isReserved,
  PROJECTED_COLUMNS,
  type Projection,
  readBuilt,
  type Section,
} from '../../../event-store/read.ts';
import { fileEvents } from '../duckdb/relation.ts';
import type { Events, SelectedFile } from '../source/events.ts';
import type { Held, HeldProperty } from './held.ts';
import { projectLog } from './log-rows.ts';
import { isListed } from './row-property.ts';
import type { CountedPart } from './share.ts';
import { MAX_READ_ROWS, type SmallFile, smallFiles } from './small-files.ts';

export type Part = CountedPart & { file: SelectedFile | null };

export type Suits = Held & {
  /** People must be of rows in the window; profiles do not know that. */
  wantsInside?: boolean;
};

type Read = Events & {
  connection: DuckDBConnection;
  noteUse?: ((props: readonly string[]) => void) | undefined;
};

/** Rows projected for one question; beyond that DuckDB counts. */
const MAX_BARE_ROWS = 2_000_000;

const toPart = (built: Built | null): Part | null =>
  built && { projection: readBuilt(built), file: null };

/** As JSON; readers differ in texts that are cut within a character. */
const isWhole = (value: string) => !value.includes('\\ud');

const hasOwn = ({ properties, hasOthers }: Section, prop: string): boolean =>
  properties.get(prop)?.values.every(isWhole) ?? !hasOthers;

function hasProperty(section: Section, { prop, isListed: needsList }: HeldProperty): boolean {
  if (hasOwn(section, prop)) return true;
  const isInColumn = !section.properties.has(prop) && section.asked.has(prop);
  return isInColumn && (!needsList || isListed(section, prop));
}

const isNamed = ({ name }: Section, event: string | null): boolean =>
  event === null ? !isReserved(name) : name === event;

function holds({ hasSenders, sections }: Projection, suits: Suits): boolean {
  const { wantsSenders = false, properties = [] } = suits;
  if (wantsSenders && !hasSenders) return false;
  return sections.every((section) =>
    properties.every((held) => !isNamed(section, held.event) || hasProperty(section, held)),
  );
}

function lackedBy(files: readonly SelectedFile[], { properties = [] }: Suits): string[] {
  const sections = files.flatMap(({ projection }) => projection?.sections ?? []);
  const lacked = properties.filter(({ event, prop }) =>
    sections.some((section) => isNamed(section, event) && !hasOwn(section, prop)),
  );
  return [...new Set(lacked.map(({ prop }) => prop))];
}

const askedFor = ({ properties = [] }: Suits): string[] => [
  ...new Set(properties.map(({ prop }) => prop)),
];

async function projectFiles(read: Read, suits: Suits): Promise<Part[] | null> {
  const from = fileEvents(read, PROJECTED_COLUMNS);
  if (from === null) return [];
  const [asked, withProps] = [askedFor(suits), suits.properties !== undefined];
  const part = toPart(await buildSql(read.connection, from, { withProps, asked }));
  return part && [part];
}

async function partsOfFiles(
  { connection, source, selection, files }: Read,
  suits: Suits,
): Promise<{ parts: Part[]; bare: SelectedFile[]; isProjected: boolean }> {
  const parts: Part[] = [];
  const others: SelectedFile[] = [];
  const lacking: SelectedFile[] = [];
  const isCut = (file: SelectedFile) => suits.wantsInside === true && !file.isInside;
  for (const file of files) {
    const { projection } = file;
    if (!projection || isCut(file)) others.push(file);
    else if (holds(projection, suits)) parts.push({ projection, file });
    else lacking.push(file);
  }
  const lacked = lacking.reduce((sum, { rows }) => sum + rows, 0);
  // Beyond it, memory would hold some, and DuckDB read all of them again.
  if (lacked <= MAX_READ_ROWS) others.push(...lacking);
  const isProjected = parts.length > 0;
  const suffices = (projection: Projection) => holds(projection, suits);
  const asked = { asked: askedFor(suits), suffices };
  const small = await smallFiles(connection, source, others, asked);
  const { fromUs = -Infinity, beforeUs = Infinity } = selection;
  const smallPart = (file: SelectedFile, { rows, projection }: SmallFile): Part | null =>
    isCut(file) ? toPart(rows.project({ fromUs, beforeUs })) : { projection, file };
  const bare = lacked > MAX_READ_ROWS ? lacking : [];
  for (const file of others) {
    const found = small.get(file);
    const part = found ? smallPart(file, found) : null;
    if (part) parts.push(part);
    else bare.push(file);
  }
  return { parts, bare, isProjected };
}

/** Null where DuckDB has to answer: devices of erased people, ids that are a user's too. */
export async function planParts(read: Read, suits: Suits = {}): Promise<Part[] | null> {
  const { erased, sharesIds } = read.source;
  const lacked = lackedBy(read.files, suits);
  if (lacked.length > 0) read.noteUse?.(lacked);
  if (erased.length > 0 || sharesIds) return null;
  const { parts, bare, isProjected } = await partsOfFiles(read, suits);
  const bareRows = bare.reduce((sum, { rows }) => sum + rows, 0);
  if (bareRows > MAX_BARE_ROWS || (bareRows > 0 && !isProjected)) return null;
  const ofFiles = await projectFiles({ ...read, files: bare }, suits);
  const ofLog = ofFiles && (await projectLog(read, suits.properties && askedFor(suits)));
  if (ofFiles === null || ofLog === null) return null;
  const all = [...parts, ...ofFiles, ...ofLog.map((projection) => ({ projection, file: null }))];
  return all.every(({ projection }) => holds(projection, suits)) ? all : null;
}
