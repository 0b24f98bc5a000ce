import { readMigration } from './migrate.ts';
import type { Db } from './postgres.ts';

export type TableWork = {
  table: string;
  waits: 'writes' | 'all';
  isRewritten: boolean;
  bytes: number;
};

const NAME = String.raw`(?:IF EXISTS )?(?:ONLY )?((?:\w+\.)?"?\w+"?)`;
const KINDS = [
  { pattern: RegExp(`^(?:ALTER|DROP|LOCK|TRUNCATE) TABLE ${NAME}`, 'i'), waits: 'all' },
  { pattern: RegExp(`^DROP TRIGGER .*? ON ${NAME}`, 'i'), waits: 'all' },
  { pattern: RegExp(`^CREATE (?:UNIQUE )?INDEX .*? ON ${NAME}`, 'i'), waits: 'writes' },
  { pattern: RegExp(`^CREATE (?:OR REPLACE )?TRIGGER .*? ON ${NAME}`, 'i'), waits: 'writes' },
  { pattern: RegExp(`\\b(?:UPDATE|INSERT INTO|DELETE FROM) ${NAME}`, 'i'), waits: 'writes' },
] as const;
const REFERENCES = RegExp(`\\bREFERENCES ${NAME}`, 'gi');
const REWRITES =
  /\bTYPE\b|GENERATED ALWAYS|DEFAULT gen_random|SERIAL\b|^CREATE (UNIQUE )?INDEX|\b(UPDATE|INSERT INTO|DELETE FROM) /i;

function statements(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\bFUNCTION\b[\s\S]*?\$(\w*)\$[\s\S]*?\$\1\$/g, 'FUNCTION')
    .split(/;|\bBEGIN\b/)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
}

type Work = Omit<TableWork, 'bytes'>;

function tableWork(statement: string): Work[] {
  const own = KINDS.flatMap(({ pattern, waits }): Work[] => {
    const table = pattern.exec(statement)?.[1];
    return table === undefined ? [] : [{ table, waits, isRewritten: REWRITES.test(statement) }];
  });
  const referenced = [...statement.matchAll(REFERENCES)].map(
    ([, table = '']): Work => ({ table, waits: 'writes', isRewritten: false }),
  );
  return [...own.slice(0, 1), ...referenced];
}

export async function findMigrationWork(db: Db, names: readonly string[]): Promise<TableWork[]> {
  const found = new Map<string, Work>();
  for (const name of names) {
    for (const one of statements(await readMigration(name)).flatMap(tableWork)) {
      const before = found.get(one.table);
      found.set(one.table, {
        table: one.table,
        waits: before?.waits === 'all' ? 'all' : one.waits,
        isRewritten: before?.isRewritten === true || one.isRewritten,
      });
    }
  }
  const sizes = await db<{ table: string; bytes: number }[]>`
    SELECT name AS table, coalesce((SELECT sum(pg_total_relation_size(relid))
      FROM pg_partition_tree(to_regclass(name))), pg_total_relation_size(to_regclass(name)))::bigint AS bytes
    FROM unnest(${[...found.keys()]}::text[]) AS name WHERE to_regclass(name) IS NOT NULL`;
  return sizes.flatMap(({ table, bytes }) => {
    const one = found.get(table);
    return one ? [{ ...one, bytes }] : [];
  });
}
