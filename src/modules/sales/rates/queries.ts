import { lock } from '../../../storage/locks.ts';
import {
  toColumns,
  type Db,
  type Tx,
  singleValue,
  done,
  firstValue,
  hasRows,
} from '../../../storage/postgres.ts';
import type { Rate } from './parse.ts';

export function lockImports(tx: Tx): Promise<void> {
  return lock(tx, 'exchangeRates');
}

export const nextRevision = (tx: Tx) =>
  singleValue(tx<{ revision: number }[]>`
    SELECT nextval('exchange_rate_revisions') AS revision`);

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

export const insertImport = (tx: Tx, record: ImportRecord) =>
  done(tx`INSERT INTO exchange_rate_imports ${tx(toColumns(record))}`);

export const lastImportAt = (db: Db, source: string) =>
  firstValue(db<{ at: Date | null }[]>`
    SELECT max(imported_at) AS at FROM exchange_rate_imports WHERE source = ${source}`);

/** 0 before the first import. */
export async function latestRevision(db: Db): Promise<number> {
  const [row] = await db<{ revision: number | null }[]>`
    SELECT max(revision) AS revision FROM exchange_rate_imports`;
  return row?.revision ?? 0;
}

/** Plain decimals. */
export const selectRates = async (db: Db, from: string, to: string) => db<Rate[]>`
    SELECT day::text, currency, rate::text FROM exchange_rates
    WHERE day BETWEEN ${from} AND ${to}`;

export const hasRates = (db: Db, currency: string) =>
  hasRows(db`SELECT 1 FROM exchange_rates WHERE currency = ${currency} LIMIT 1`);

export const selectLastRateDay = (db: Db) =>
  singleValue(db<{ day: string | null }[]>`
    SELECT max(day)::text AS day FROM exchange_rates`);
