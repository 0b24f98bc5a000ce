import { basename } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import type { SystemContext } from '../../../context.ts';
import { at } from '../../../shared/assert.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import type { Clock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { parseRates, type Rate, RatesFormatError } from './parse.ts';
import * as queries from './queries.ts';

const FILE = new URL('./data/ecb-reference-rates.csv.gz', import.meta.url);
const SOURCE = 'pinned snapshot';

type Needs = { sql: Sql; clock: Clock };

export async function importSnapshot(deps: Needs, { onlyFirst = false } = {}): Promise<void> {
  await importRates(deps, { file: await Bun.file(FILE).bytes(), source: SOURCE, onlyFirst });
}

/** First: the bank's 90-day file leaves older days without a rate. */
export async function ensureSnapshot(deps: Needs): Promise<void> {
  if ((await queries.lastImportAt(deps.sql, SOURCE)) === null) await importSnapshot(deps);
}

/** Throws `invalid_input`. */
export async function importRatesFile(
  { deps }: SystemContext<'clock' | 'sql'>,
  { path }: { path: string },
): Promise<queries.ImportRecord> {
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

const TEXT_MAX_BYTES = 32 * 1024 * 1024;
const ZIP_ENTRY = 0x04034b50;
const ZIP_ENTRY_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

function unzipFirst(bytes: Buffer): Buffer {
  if (bytes.length < ZIP_ENTRY_HEADER_BYTES) throw new RatesFormatError('The archive is cut off.');
  const method = bytes.readUInt16LE(8);
  const start = ZIP_ENTRY_HEADER_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  // Raw deflate ends by itself: sizes may be absent.
  if (method === DEFLATED) {
    return inflateRawSync(bytes.subarray(start), { maxOutputLength: TEXT_MAX_BYTES });
  }
  if (method === STORED) return bytes.subarray(start, start + bytes.readUInt32LE(18));
  throw new RatesFormatError(`The archive uses compression method ${method}.`);
}

export function unpackRates(file: Uint8Array): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZIP_ENTRY) {
      return unzipFirst(bytes).toString('utf8');
    }
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      return gunzipSync(bytes, { maxOutputLength: TEXT_MAX_BYTES }).toString('utf8');
    }
  } catch (thrown) {
    if (thrown instanceof RatesFormatError) throw thrown;
    throw new RatesFormatError('The file cannot be unpacked.');
  }
  return bytes.toString('utf8');
}

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
): Promise<queries.ImportRecord | null> {
  const rates = read(input.file);
  const days = rates.map(({ day }) => day).toSorted();
  return deps.sql.begin(async (tx) => {
    await queries.lockImports(tx);
    if (input.onlyFirst && (await queries.latestRevision(tx)) > 0) return null;
    const revision = await queries.nextRevision(tx);
    let changed = 0;
    for (let start = 0; start < rates.length; start += CHUNK) {
      changed += await queries.upsertRates(tx, rates.slice(start, start + CHUNK), revision);
    }
    const record = {
      revision,
      source: input.source,
      importedAt: deps.clock(),
      firstDay: at(days, 0),
      lastDay: at(days, days.length - 1),
      changed,
    };
    await queries.insertImport(tx, record);
    return record;
  });
}
