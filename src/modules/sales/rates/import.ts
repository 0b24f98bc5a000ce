import { at } from '../../../shared/assert.ts';
import type { Clock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { parseRates, type Rate, RatesFormatError } from './parse.ts';
import {
  type ImportRecord,
  insertImport,
  latestRevision,
  lockImports,
  nextRevision,
  upsertRates,
} from './queries.ts';
import { unpackRates } from './unpack.ts';

const CHUNK = 20_000;
/** The read model reaches back 800 days at most. */
const OLDEST_DAY = '2022-01-01';

function read(file: Uint8Array): Rate[] {
  const rates = parseRates(unpackRates(file)).filter(({ day }) => day >= OLDEST_DAY);
  if (rates.length === 0) throw new RatesFormatError('The file holds no rates.');
  return rates;
}

export type ImportInput = {
  file: Uint8Array;
  source: string;
  onlyFirst?: boolean;
};

/** All or nothing. Null for a no-op. Throws RatesFormatError. */
export async function importRates(
  deps: { sql: Sql; clock: Clock },
  input: ImportInput,
): Promise<ImportRecord | null> {
  const rates = read(input.file);
  const days = rates.map(({ day }) => day).toSorted();
  return deps.sql.begin(async (tx) => {
    await lockImports(tx);
    if (input.onlyFirst && (await latestRevision(tx)) > 0) return null;
    const revision = await nextRevision(tx);
    let changed = 0;
    for (let start = 0; start < rates.length; start += CHUNK) {
      changed += await upsertRates(tx, rates.slice(start, start + CHUNK), revision);
    }
    const record = {
      revision,
      source: input.source,
      importedAt: deps.clock(),
      firstDay: at(days, 0),
      lastDay: at(days, days.length - 1),
      changed,
    };
    await insertImport(tx, record);
    return record;
  });
}
