import type { DuckDBConnection } from '@duckdb/node-api';
import {
  DEVICE_SQL,
  EVENT_COLUMN_NAMES_SQL,
  EVENT_TABLE_SQL,
  eventFilesSql,
  loadAliases,
  loadErased,
  NOBODY_SQL,
  notErasedSql,
  RESERVED_SQL,
  type ReadableFile,
  SHARED_EVENTS,
  withAliases,
} from '../event-store/read.ts';
import { tableSql, VIEWS } from '../modules/sql/index.ts';
import { textList, textLiteral } from '../storage/duckdb-literal.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Dataset } from './dataset.ts';
import { RECORDS, type RecordName, readRecords } from './queries.ts';

async function copyShared(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(`CREATE TABLE ${SHARED_EVENTS} ${EVENT_TABLE_SQL}`);
  for (const { appIds, ...file } of dataset.sharedFiles) {
    await connection.run(
      `INSERT INTO ${SHARED_EVENTS} SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql([file])}
       WHERE org_id = ${textLiteral(dataset.orgId)} AND app_id IN (${textList(appIds)})`,
    );
  }
}

export function ownRowsSql(orgId: string, files: readonly ReadableFile[]): string {
  return `SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql(files)}
    WHERE org_id = ${textLiteral(orgId)}`;
}

export function eventViews(rows: string): Record<'events' | 'people' | 'exposures', string> {
  const { from, person } = withAliases(`(${rows})`, {
    device: DEVICE_SQL,
    person: 'e.person_id',
    as: 'id',
    apps: 'many',
  });
  return {
    events: `SELECT e.* REPLACE (nullif(${person}, ${NOBODY_SQL.id}) AS person_id) FROM ${from}
      WHERE ${notErasedSql(person)} AND e.app_id IN (SELECT app_id FROM apps)`,
    people: `SELECT app_id, person_id, bool_or(user_id IS NOT NULL) AS is_user,
        min(occurred_at) AS first_at, max(occurred_at) AS last_at, count(*) AS events,
        arg_max(platform, occurred_at) AS platform,
        arg_max(app_version, occurred_at) AS app_version,
        arg_max(country, occurred_at) AS country
      FROM events WHERE environment = 'production' AND NOT ${RESERVED_SQL} AND person_id IS NOT NULL
      GROUP BY app_id, person_id`,
    exposures: `SELECT app_id, props->>'experiment' AS experiment_id, props->>'arm' AS arm_id,
        person_id, min(received_at) AS exposed_at
      FROM events WHERE name = '$exposure' AND environment = 'production' AND person_id IS NOT NULL GROUP BY ALL`,
  };
}

export const RECORD_NAMES = Object.keys(RECORDS).filter(
  (name): name is RecordName => name in RECORDS,
);

export class RecordTables {
  private readonly filled = new Set<RecordName>();

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly sql: Sql,
    private readonly orgId: string,
  ) {}

  async create(): Promise<void> {
    for (const name of RECORD_NAMES) {
      await this.connection.run(`CREATE TABLE ${name} ${tableSql(VIEWS[name])}`);
    }
    await this.fill('apps');
  }

  async fillFor(question: string): Promise<void> {
    for (const name of RECORD_NAMES) {
      if (new RegExp(`\\b${name}\\b`, 'i').test(question)) await this.fill(name);
    }
  }

  async fill(name: RecordName): Promise<void> {
    if (this.filled.has(name)) return;
    const shape = Object.fromEntries(VIEWS[name].columns.map((each) => [each.name, each.type]));
    const insert = `INSERT INTO ${name} SELECT unnest(
      from_json($1::JSON, ${textLiteral(JSON.stringify([shape]))}), recursive := true)`;
    for await (const rows of readRecords(this.sql, name, this.orgId)) {
      await this.connection.run(insert, [JSON.stringify(rows)]);
    }
    this.filled.add(name);
  }
}

/** Irreversible. */
export async function makeViews(
  connection: DuckDBConnection,
  dataset: Dataset,
  { records, exportDir }: { records: RecordTables; exportDir: string | null },
): Promise<void> {
  await connection.run("SET timezone = 'UTC'");
  await copyShared(connection, dataset);
  await loadAliases(connection, dataset.lateAliases);
  await loadErased(connection, dataset.erased);
  await records.create();
  const { orgId, ownFiles } = dataset;
  const shared = `SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${SHARED_EVENTS}`;
  const own = ownFiles.length === 0 ? '' : `${ownRowsSql(orgId, ownFiles)} UNION ALL `;
  for (const [name, sql] of Object.entries(eventViews(own + shared))) {
    await connection.run(`CREATE VIEW ${name} AS ${sql}`);
  }
  await connection.run(`SET allowed_paths = [${textList(ownFiles.map(({ path }) => path))}]`);
  if (exportDir !== null) {
    await connection.run(`SET allowed_directories = [${textLiteral(exportDir)}]`);
  }
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}
