import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parser } from '../../src/shared/schema.ts';
import type { Sql } from '../../src/storage/postgres.ts';

/** What the catalogue says of the files. */
const TABLES = ['event_files', 'event_file_apps', 'event_people'] as const;
const ROWS_AT_ONCE = 10_000;

const kept = parser(
  Type.Object({
    startMs: Type.Integer(),
    seq: Type.Integer(),
    orgId: Type.String(),
    appId: Type.String(),
  }),
  'facts of kept files',
);

type App = { orgId: string; appId: string };

/** The same bytes under both folders: nobody writes to an event file twice. */
function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    const linked = join(to, path.slice(from.length));
    mkdirSync(dirname(linked), { recursive: true });
    linkSync(path, linked);
  }
}

const linesOf = (dir: string, table: string) => join(dir, `${table}.jsonl`);

/** Keeps the files and their catalogue in `dir`, on the same disk, for the next benchmark. */
export async function keepFiles(
  sql: Sql,
  eventsDir: string,
  dir: string,
  { orgId, appId, startMs }: App & { startMs: number },
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  linkAll(eventsDir, join(dir, 'events'));
  for (const table of TABLES) {
    const file = Bun.file(linesOf(dir, table)).writer();
    const rows = sql<{ line: string }[]>`SELECT to_jsonb(t)::text AS line FROM ${sql(table)} AS t`;
    for await (const some of rows.cursor(ROWS_AT_ONCE)) {
      for (const { line } of some) file.write(`${line}\n`);
    }
    await file.end();
  }
  const [row] = await sql<{ seq: number }[]>`SELECT seq FROM event_catalogue WHERE id = 1`;
  // Last: who finds it finds everything.
  await Bun.write(
    join(dir, 'facts.json'),
    JSON.stringify({ startMs, seq: Number(row?.seq), orgId, appId }),
  );
}

/**
 * Puts kept files and their catalogue into an empty installation, as an app's; null when none are
 * kept. The rows keep the ids that they were made with, which files of one app are not asked for.
 */
export async function takeKept(
  sql: Sql,
  eventsDir: string,
  dir: string,
  app: App,
): Promise<{ startMs: number } | null> {
  const path = join(dir, 'facts.json');
  if (!existsSync(path)) return null;
  const { startMs, seq, ...of } = kept.parse(await Bun.file(path).json());
  linkAll(join(dir, 'events'), eventsDir);
  for (const table of TABLES) {
    const lines = (await Bun.file(linesOf(dir, table)).text()).split('\n').filter(Boolean);
    for (let first = 0; first < lines.length; first += ROWS_AT_ONCE) {
      const some = `[${lines.slice(first, first + ROWS_AT_ONCE).join(',')}]`
        .replaceAll(JSON.stringify(of.orgId), JSON.stringify(app.orgId))
        .replaceAll(JSON.stringify(of.appId), JSON.stringify(app.appId));
      await sql`INSERT INTO ${sql(table)}
        SELECT * FROM jsonb_populate_recordset(null::${sql(table)}, ${some}::text::jsonb)`;
    }
  }
  await sql`UPDATE event_catalogue SET seq = ${seq} WHERE id = 1`;
  return { startMs };
}
