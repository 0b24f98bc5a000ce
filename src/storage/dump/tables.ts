import { Transform } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { type Db, column } from '../postgres.ts';

export const TableInfo = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  /** Excludes generated columns. */
  columns: Type.Array(Type.String(), { minItems: 1 }),
});
export type TableInfo = Static<typeof TableInfo>;

export type TableOptions = {
  signal?: AbortSignal | undefined;
  onTable?: (table: TableInfo, index: number, all: number) => void;
};

export const PartitionInfo = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  parentSchema: Type.String(),
  parent: Type.String(),
  /** `FOR VALUES FROM (…) TO (…)` */
  bound: Type.String(),
});
export type PartitionInfo = Static<typeof PartitionInfo>;

export const SequenceInfo = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  lastValue: Type.String(),
});
export type SequenceInfo = Static<typeof SequenceInfo>;

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Quoted, since statement parameters cannot be names. */
export function qualified({ schema, name }: { schema: string; name: string }): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** `"schema"."table" ("a", "b")` for COPY. */
export function copyTarget(table: TableInfo): string {
  return `${qualified(table)} (${table.columns.map(quoted).join(', ')})`;
}

export const listSchemas = (db: Db) =>
  column(db<{ name: string }[]>`
    SELECT nspname AS name FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`);

type Node = TableInfo & { id: string; refersTo: string[] };

/** Referenced first; partitions apart. Without the migrations table. */
export async function listTables(db: Db): Promise<TableInfo[]> {
  const rows = await db<Node[]>`
    SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns,
      ARRAY(SELECT DISTINCT confrelid::text FROM pg_constraint
        WHERE contype = 'f' AND conrelid = c.oid) AS "refersTo"
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND c.relname <> 'schema_migrations'
    GROUP BY c.oid, n.nspname, c.relname
    ORDER BY n.nspname, c.relname`;
  return inOrder(rows).map(({ schema, name, columns }) => ({ schema, name, columns }));
}

function inOrder(tables: readonly Node[]): Node[] {
  const known = new Set(tables.map(({ id }) => id));
  const placed = new Set<string>();
  const ordered: Node[] = [];
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ id, refersTo }) =>
        !placed.has(id) &&
        refersTo.every((other) => other === id || placed.has(other) || !known.has(other)),
    );
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const table of ready) placed.add(table.id);
    ordered.push(...ready);
  }
  return ordered;
}

export const listPartitions = async (db: Db) => db<PartitionInfo[]>`
    SELECT n.nspname AS schema, c.relname AS name, pn.nspname AS "parentSchema",
      p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition AND c.relkind = 'r'
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class p ON p.oid = i.inhparent
    JOIN pg_namespace pn ON pn.oid = p.relnamespace
    ORDER BY 1, 2`;

export const listSequences = async (db: Db) => db<SequenceInfo[]>`
    SELECT schemaname AS schema, sequencename AS name, last_value::text AS "lastValue"
    FROM pg_sequences
    WHERE last_value IS NOT NULL AND schemaname !~ '^pg_' ORDER BY 1, 2`;

const NEWLINE = 0x0a;

/** Newlines in values are escaped. */
export class RowCounter extends Transform {
  rows = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, out: Buffer) => void) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.rows += 1;
    }
    done(null, chunk);
  }
}
