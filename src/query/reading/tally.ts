import {
  type EventRow,
  type FileRows,
  isReserved,
  type RangeCounts,
} from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { textOrNull } from '../../shared/text.ts';
import type { EventSelection } from '../selection/selection.ts';
import { eventRelation, fileEvents } from './duckdb/relation.ts';
import { smallFiles } from './projection/small-files.ts';
import type { QueryRun } from './run.ts';
import { readRows, type SqlRun } from './source/sql-rows.ts';
import { type EventSource, matchingHotRows, type SelectedFile } from './source/events.ts';
import { inScope, isCounted } from './source/files.ts';

export type Tally = {
  names: Map<string, number>;
  platforms: Map<string | null, number>;
  versions: Map<string | null, number>;
  firstAtUs: number | null;
  lastAtUs: number | null;
};

function add<T>(counts: Map<T, number>, value: T, events: number): void {
  counts.set(value, (counts.get(value) ?? 0) + events);
}

function extend(tally: Tally, firstAtUs: number, lastAtUs: number): void {
  tally.firstAtUs = Math.min(tally.firstAtUs ?? firstAtUs, firstAtUs);
  tally.lastAtUs = Math.max(tally.lastAtUs ?? lastAtUs, lastAtUs);
}

function addCounted(tally: Tally, counts: RangeCounts): void {
  for (const [name, events] of counts.names) add(tally.names, name, events);
  for (const [platform, events] of counts.platforms) add(tally.platforms, platform, events);
  for (const [version, events] of counts.versions) add(tally.versions, version, events);
  if (counts.firstAtUs !== null && counts.lastAtUs !== null) {
    extend(tally, counts.firstAtUs, counts.lastAtUs);
  }
}

const READ = ['name', 'platform', 'app_version', 'occurred_at'];

async function addRead(tally: Tally, run: SqlRun, relation: string) {
  const { sinceEpoch } = run.sql.dialect;
  const rows = await readRows(
    run,
    `SELECT name, platform, app_version, count(*), ${sinceEpoch('min(occurred_at)')},
        ${sinceEpoch('max(occurred_at)')}
      FROM ${relation} GROUP BY 1, 2, 3`,
  );
  for (const [name, platform, version, events, first, last] of rows) {
    add(tally.names, String(name), Number(events));
    add(tally.platforms, textOrNull(platform), Number(events));
    add(tally.versions, textOrNull(version), Number(events));
    extend(tally, Number(first), Number(last));
  }
}

function addRows(
  tally: Tally,
  rows: FileRows,
  { environment }: EventSource,
  { fromUs = -Infinity, beforeUs = Infinity, ofClients }: EventSelection,
): void {
  const isMeant = rows.sections.map(
    (section) => inScope(environment, section) && !(ofClients === true && isReserved(section.name)),
  );
  rows.each({ fromUs, beforeUs }, (timeUs, section, sender) => {
    if (!isMeant[section]) return;
    const { platform, version } = at(rows.senders, sender);
    add(tally.names, at(rows.sections, section).name, 1);
    add(tally.platforms, platform, 1);
    add(tally.versions, version, 1);
    extend(tally, timeUs, timeUs);
  });
}

function addRow(tally: Tally, { name, platform, appVersion, occurredAtUs }: EventRow): void {
  add(tally.names, name, 1);
  add(tally.platforms, platform, 1);
  add(tally.versions, appVersion, 1);
  extend(tally, occurredAtUs, occurredAtUs);
}

const emptyTally = (): Tally => ({
  names: new Map(),
  platforms: new Map(),
  versions: new Map(),
  firstAtUs: null,
  lastAtUs: null,
});

export async function tallyRows(run: SqlRun): Promise<Tally> {
  const tally = emptyTally();
  await addRead(tally, run, eventRelation(run, READ, 'id', 'anybody'));
  return tally;
}

/** People matter only where some are erased. */
export async function tallyEvents(run: QueryRun): Promise<Tally> {
  const { connection, source, selection, load } = run;
  if (source.erased.length > 0) {
    await load();
    return tallyRows(run);
  }
  const tally = emptyTally();
  const unknown: SelectedFile[] = [];
  for (const file of run.files) {
    const isKnown = isCounted(source, file) && file.isInside;
    if (isKnown && file.counts) addCounted(tally, file.counts);
    else unknown.push(file);
  }
  const small = await smallFiles(connection, source, unknown);
  for (const { rows } of small.values()) addRows(tally, rows, source, selection);
  const large = unknown.filter((file) => !small.has(file));
  const read = fileEvents({ ...run, files: large }, READ);
  if (read !== null) await addRead(tally, run, read);
  for (const row of matchingHotRows(run)) addRow(tally, row);
  return tally;
}
