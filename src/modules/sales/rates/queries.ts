import { onlyRow } from '../../../shared/assert.ts';
import { lock } from '../../../storage/locks.ts';
import { toColumns, type Db, type Tx } from '../../../storage/postgres.ts';
import type { Rate } from './parse.ts';

export function lockImports(tx: Tx): Promise<void> {
  return lock(tx, 'exchangeRates');
}

export async function nextRevision(tx: Tx): Promise<number> {
  const rows = await tx<{ revision: number }[]>`
    SELECT nextval('exchange_rate_revisions') AS revision`;
  return onlyRow(rows).revision;
}

/** Equal rates keep their revision. Returns the number of changes. */
export async function upsertRates(
  tx: Tx,
  rates: readonly Rate[],
  revision: number,
): Promise<number> {
  const rows = await tx`
    INSERT INTO exchange_rates AS known (day, currency, rate, revision)
    SELECT day, currency, rate, ${revision} FROM unnest(
      ${rates.map(({ day }) => day)}::date[], ${rates.map(({ currency }) => currency)}::text[],
      ${rates.map(({ rate }) => rate)}::numeric[]) AS r (day, currency, rate)
    ON CONFLICT (day, currency) DO UPDATE SET rate = excluded.rate, revision = excluded.revision
      WHERE known.rate <> excluded.rate
    RETURNING 1`;
  return rows.length;
}

export type ImportRecord = {
  revision: number;
  source: string;
  importedAt: Date;
  firstDay: string;
  lastDay: string;
  changed: number;
};

export async function insertImport(tx: Tx, record: ImportRecord): Promise<void> {
  await tx`INSERT INTO exchange_rate_imports ${tx(toColumns(record))}`;
}

export async function lastImportAt(db: Db, source: string): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    SELECT max(imported_at) AS at FROM exchange_rate_imports WHERE source = ${source}`;
  return row?.at ?? null;
}

/** 0 before the first import. */
export async function latestRevision(db: Db): Promise<number> {
  const [row] = await db<{ revision: number | null }[]>`
    SELECT max(revision) AS revision FROM exchange_rate_imports`;
  return row?.revision ?? 0;
}

/** Plain decimals. */
export async function selectRates(db: Db, from: string, to: string): Promise<Rate[]> {
  return db<Rate[]>`
    SELECT day::text, currency, rate::text FROM exchange_rates
    WHERE day BETWEEN ${from} AND ${to}`;
}

export async function hasRates(db: Db, currency: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM exchange_rates WHERE currency = ${currency} LIMIT 1`;
  return rows.length > 0;
}

export async function selectLastRateDay(db: Db): Promise<string | null> {
  const rows = await db<{ day: string | null }[]>`
    SELECT max(day)::text AS day FROM exchange_rates`;
  return onlyRow(rows).day;
}
