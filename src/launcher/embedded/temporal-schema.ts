import { Database } from 'bun:sqlite';
import { quoted } from '../../storage/dump/tables.ts';

type Item = { type: 'table' | 'virtual' | 'index' | 'trigger'; name: string; sql: string };

/** Without the tables that SQLite makes for a virtual one. */
const ITEMS = `
  SELECT coalesce(list.type, item.type) AS type, item.name, item.sql
  FROM sqlite_master item
  LEFT JOIN pragma_table_list list ON list.name = item.name AND list.schema = 'main'
  WHERE item.sql IS NOT NULL AND coalesce(list.type, '') <> 'shadow'`;

type Column = { name: string; stored: boolean };

function readColumns(database: Database, table: string): Column[] {
  const rows = database
    .query<{ name: string; hidden: number }, [string]>(
      'SELECT name, hidden FROM pragma_table_xinfo(?)',
    )
    .all(table);
  return rows.map(({ name, hidden }) => ({ name, stored: hidden === 0 }));
}

function replaceTable(database: Database, { name, sql }: Item, columns: readonly Column[]): void {
  const list = columns.map((column) => quoted(column.name)).join(', ');
  database.run(`CREATE TEMP TABLE kept AS SELECT ${list} FROM main.${quoted(name)}`);
  database.run(`DROP TABLE main.${quoted(name)}`);
  database.run(sql);
  database.run(`INSERT INTO main.${quoted(name)} (${list}) SELECT ${list} FROM kept`);
  database.run('DROP TABLE kept');
}

/** Text indexes and triggers name the columns of the table they belong to. */
function replaceDerived(database: Database, wanted: readonly Item[], present: readonly Item[]) {
  for (const { name, type } of present) {
    if (type === 'virtual') database.run(`DROP TABLE ${quoted(name)}`);
    if (type === 'trigger') database.run(`DROP TRIGGER IF EXISTS ${quoted(name)}`);
  }
  for (const { type, name, sql } of wanted) {
    if (type !== 'virtual') continue;
    database.run(sql);
    database.run(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('rebuild')`);
  }
  for (const { type, sql } of wanted) if (type === 'trigger') database.run(sql);
}

/** Adds tables, columns and indexes of `reference`; a column that only `database` has stays away. */
function addMissing(database: Database, reference: Database): void {
  const wanted = reference.query<Item, []>(ITEMS).all();
  const present = database.query<Item, []>(ITEMS).all();
  let changed = false;
  for (const item of wanted.filter(({ type }) => type === 'table')) {
    const before = readColumns(database, item.name);
    const after = readColumns(reference, item.name);
    if (after.every(({ name }) => before.some((one) => one.name === name))) continue;
    changed = true;
    const isKept = ({ name, stored }: Column) =>
      stored && before.some((one) => one.stored && one.name === name);
    if (before.length === 0) database.run(item.sql);
    else replaceTable(database, item, after.filter(isKept));
  }
  if (changed) replaceDerived(database, wanted, present);
  for (const { type, sql } of wanted) {
    if (type === 'index') database.run(sql.replace(/INDEX(?! IF)/i, 'INDEX IF NOT EXISTS'));
  }
}

/**
 * Gives `path` what `referencePath`, made by the server about to open it, has beyond it: the server
 * changes no database of its predecessors. Rows stay. Throws where a new column must be filled.
 */
export function completeSchema(path: string, referencePath: string): void {
  using database = new Database(path, { readwrite: true });
  using reference = new Database(referencePath, { readwrite: true });
  database.transaction(() => addMissing(database, reference)).immediate();
}
