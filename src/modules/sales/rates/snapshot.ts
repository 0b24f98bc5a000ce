import type { Clock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { importRates } from './import.ts';
import { lastImportAt } from './queries.ts';

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
