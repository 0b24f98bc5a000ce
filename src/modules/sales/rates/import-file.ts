import { basename } from 'node:path';
import type { SystemContext } from '../../../context.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import type { Clock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { importRates } from './import.ts';
import { type ImportRecord, lastImportAt } from './queries.ts';

const FILE = new URL('./data/ecb-reference-rates.csv.gz', import.meta.url);
const SOURCE = 'pinned snapshot';

type Needs = { sql: Sql; clock: Clock };

export async function importSnapshot(deps: Needs, { onlyFirst = false } = {}): Promise<void> {
  await importRates(deps, { file: await Bun.file(FILE).bytes(), source: SOURCE, onlyFirst });
}

/** First: the bank's 90-day file leaves older days without a rate. */
export async function ensureSnapshot(deps: Needs): Promise<void> {
  if ((await lastImportAt(deps.sql, SOURCE)) === null) await importSnapshot(deps);
}

/** Throws `invalid_input`. */
export async function importRatesFile(
  { deps }: SystemContext<'clock' | 'sql'>,
  { path }: { path: string },
): Promise<ImportRecord> {
  try {
    const file = await Bun.file(path).bytes();
    await ensureSnapshot(deps);
    const record = await importRates(deps, { file, source: `file ${basename(path)}` });
    if (record) return record;
    throw new Error('nothing was imported');
  } catch (cause) {
    throw new AppError('invalid_input', 'The rates could not be imported.', {
      hint: `file: ${errorMessage(cause)}`,
      cause,
    });
  }
}
