import { basename } from 'node:path';
import type { SystemContext } from '../../../context.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import { importRates } from './import.ts';
import type { ImportRecord } from './queries.ts';
import { ensureSnapshot } from './snapshot.ts';

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
