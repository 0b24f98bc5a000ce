import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Deps } from '../../context.ts';
import * as eventStore from '../../event-store/read.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { selectOrganizationFiles } from '../queries.ts';
import { eventViews, ownRowsSql, RECORD_NAMES, RecordTables } from '../view.ts';

const EVENT_VIEWS = ['events', 'people', 'exposures'] as const;
const MAPS = ['late_aliases', 'erased_people'] as const;
export const HIDDEN = [eventStore.SHARED_EVENTS, ...MAPS];
const FIRST_MS = 0;
const LAST_MS = Date.UTC(9_999, 0);

export type Views = {
  setup: string[];
  paths: string[];
  dataThroughMs: number | null;
};

export type CopyDeps = Pick<Deps, 'objects' | 'sql'> & {
  hot: Pick<eventStore.HotEvents, 'snapshot'>;
};

type FileOfApps = Pick<eventStore.SnapshotFile, 'path' | 'format'> & { appIds: string[] };

const named = (question: string, view: string) => new RegExp(`\\b${view}\\b`, 'i').test(question);

/** Files that hold this organization alone, by their own statistics: read in place, uncopied. */
async function ownPaths({ objects, sql }: CopyDeps, orgId: string): Promise<Set<string>> {
  const files = await selectOrganizationFiles(sql, orgId);
  const own = files.filter(({ stats }) => {
    const known = eventStore.parseFileStats(stats);
    return known !== null && eventStore.holdsOnly(known, { orgId });
  });
  return new Set(await Promise.all(own.map(({ path }) => objects.localPath(path))));
}

const scopeSql = (orgId: string, appIds: readonly string[]) =>
  `org_id = ${textLiteral(orgId)} AND app_id IN (${textList(appIds)})`;

/** Groups of files with the same apps. */
function bySameApps(files: readonly FileOfApps[]): { appIds: string[]; files: FileOfApps[] }[] {
  const groups = Map.groupBy(files, ({ appIds }) => appIds.join(' '));
  return [...groups.values()].map((alike) => ({ appIds: alike[0]?.appIds ?? [], files: alike }));
}

type Snapshots = {
  files: FileOfApps[];
  dataThroughMs: number;
};

async function copyLog(
  connection: DuckDBConnection,
  { hot }: CopyDeps,
  orgId: string,
  appIds: readonly string[],
): Promise<Snapshots> {
  const files = new Map<string, FileOfApps>();
  const aliases: { appId: string; anonymousId: string; userId: string }[] = [];
  const erased: eventStore.ErasedId[] = [];
  let dataThroughMs = Number.POSITIVE_INFINITY;
  for (const appId of appIds) {
    const seen = await hot.snapshot({ orgId, appId, fromMs: FIRST_MS, toMs: LAST_MS });
    dataThroughMs = Math.min(dataThroughMs, seen.dataThrough.getTime());
    for (const { path, format } of seen.files) {
      const known = files.get(path) ?? { path, format, appIds: [] };
      known.appIds.push(appId);
      files.set(path, known);
    }
    aliases.push(...seen.lateAliases.map((alias) => ({ ...alias, appId })));
    erased.push(...seen.erased.map((id) => ({ appId, id, erasedAs: seen.erasedAs.get(id) })));
    if (seen.hotRows.length === 0) continue;
    await eventStore.loadRows(connection, eventStore.HOT_EVENTS, seen.hotRows);
    await connection.run(`INSERT INTO ${eventStore.SHARED_EVENTS}
      SELECT ${eventStore.EVENT_COLUMN_NAMES_SQL} FROM ${eventStore.HOT_EVENTS} WHERE ${scopeSql(orgId, [appId])}`);
  }
  await eventStore.loadAliases(connection, aliases);
  await eventStore.loadErased(connection, erased);
  return { files: [...files.values()], dataThroughMs };
}

async function save(connection: DuckDBConnection, table: string, folder: string): Promise<string> {
  const path = join(folder, `${table}.parquet`);
  await connection.run(`COPY ${table} TO ${textLiteral(path)} (FORMAT parquet)`);
  return path;
}

const fromFile = (path: string) => `SELECT * FROM read_parquet(${textLiteral(path)})`;

async function copyEvents(
  connection: DuckDBConnection,
  deps: CopyDeps,
  { orgId, appIds, folder }: { orgId: string; appIds: readonly string[]; folder: string },
): Promise<Views> {
  await connection.run(`CREATE TABLE ${eventStore.SHARED_EVENTS} ${eventStore.EVENT_TABLE_SQL}`);
  const { files, dataThroughMs } = await copyLog(connection, deps, orgId, appIds);
  const own = await ownPaths(deps, orgId);
  const isOwn = ({ path }: FileOfApps) => own.has(path);
  for (const group of bySameApps(files.filter((file) => !isOwn(file)))) {
    await connection.run(`INSERT INTO ${eventStore.SHARED_EVENTS}
      SELECT ${eventStore.EVENT_COLUMN_NAMES_SQL} FROM ${eventStore.eventFilesSql(group.files)}
      WHERE ${scopeSql(orgId, group.appIds)}`);
  }
  const shared = await save(connection, eventStore.SHARED_EVENTS, folder);
  const maps = await Promise.all(MAPS.map((map) => save(connection, map, folder)));
  const ownFiles = files.filter(isOwn);
  const rows = [
    `SELECT ${eventStore.EVENT_COLUMN_NAMES_SQL} FROM read_parquet(${textLiteral(shared)})`,
    ...bySameApps(ownFiles).map(
      (group) => `${ownRowsSql(orgId, group.files)} AND app_id IN (${textList(group.appIds)})`,
    ),
  ];
  return {
    setup: [
      ...MAPS.map((map, index) => `CREATE TABLE ${map} AS ${fromFile(maps[index] ?? '')}`),
      ...Object.entries(eventViews(rows.join(' UNION ALL '))).map(
        ([name, sql]) => `CREATE VIEW ${name} AS ${sql}`,
      ),
    ],
    paths: [shared, ...maps, ...ownFiles.map(({ path }) => path)],
    dataThroughMs: appIds.length === 0 ? null : dataThroughMs,
  };
}

export async function copyViews(
  connection: DuckDBConnection,
  deps: CopyDeps,
  { orgId, sql: question, folder }: { orgId: string; sql: string; folder: string },
): Promise<Views> {
  await connection.run("SET timezone = 'UTC'");
  const records = new RecordTables(connection, deps.sql, orgId);
  await records.create();
  await records.fillFor(question);
  const views: Views = { setup: ["SET timezone = 'UTC'"], paths: [], dataThroughMs: null };
  for (const name of RECORD_NAMES) {
    const path = await save(connection, name, folder);
    views.setup.push(`CREATE VIEW ${name} AS ${fromFile(path)}`);
    views.paths.push(path);
  }
  if (!EVENT_VIEWS.some((view) => named(question, view))) return views;
  const apps = await connection.runAndReadAll('SELECT app_id FROM apps ORDER BY app_id');
  const appIds = apps.getRows().map(([id]) => String(id));
  const events = await copyEvents(connection, deps, { orgId, appIds, folder });
  return {
    setup: [...views.setup, ...events.setup],
    paths: [...views.paths, ...events.paths],
    dataThroughMs: events.dataThroughMs,
  };
}
