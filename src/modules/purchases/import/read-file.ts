import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { AppError } from '../../../shared/errors.ts';
import { isNoId } from '../../../shared/identity.ts';
import { peek, unpack } from '../../../storage/unpack.ts';
import { utf8Only } from '../../../storage/utf8.ts';
import { IMPORT_COLUMNS } from './model.ts';
import { isPurchase } from './parse-csv.ts';

const ROW_MAX_CHARACTERS = 256 * 1024;

type Row = Readonly<Record<string, string | undefined>>;

export type FilePurchase = { userId: string; chainId: string };
export type LeftOut = 'anonymous' | 'invalid' | 'other_store' | 'sandbox';
export type FileRow = { purchase: FilePurchase; at: string } | { leftOut: LeftOut };

const ANONYMOUS = '$RCAnonymousID:';
const REVENUECAT_USERS = ['rc_last_seen_app_user_id_alias', 'rc_original_app_user_id'];
const REVENUECAT_CHAIN = 'original_store_transaction_id';

const checked = (purchase: FilePurchase, at: string): FileRow =>
  isPurchase(purchase) ? { purchase, at } : { leftOut: 'invalid' };

function ownRow(row: Row): FileRow {
  const [userId = '', chainId = ''] = IMPORT_COLUMNS.map((column) => row[column]);
  return checked({ userId, chainId }, '');
}

/** RevenueCat's scheduled data export: a row per transaction. */
function revenuecatRow(row: Row): FileRow {
  if (row.store !== undefined && row.store !== 'app_store') return { leftOut: 'other_store' };
  if (/^(true|t|1)$/i.test(row.is_sandbox ?? '')) return { leftOut: 'sandbox' };
  const ids = REVENUECAT_USERS.map((column) => row[column]);
  const userId = ids.find((id) => id && !id.startsWith(ANONYMOUS) && !isNoId(id));
  if (userId === undefined) return { leftOut: 'anonymous' };
  const chainId = row[REVENUECAT_CHAIN] ?? '';
  return checked({ userId, chainId }, row.start_time ?? '');
}

function rowReader(columns: readonly string[]): (row: Row) => FileRow {
  const has = (column: string) => columns.includes(column);
  if (IMPORT_COLUMNS.every(has)) return ownRow;
  const [hasUser, hasChain] = [REVENUECAT_USERS.some(has), has(REVENUECAT_CHAIN)];
  if (hasUser && hasChain) return revenuecatRow;
  const user = REVENUECAT_USERS.join(' or ');
  const isRevenueCat = hasUser || hasChain;
  throw new AppError(
    'invalid_input',
    isRevenueCat
      ? `The column ${hasChain ? user : REVENUECAT_CHAIN} is missing.`
      : 'The columns of the file are not known.',
    {
      hint: `The header has ${IMPORT_COLUMNS.join(', ')}; or of RevenueCat's scheduled data export ${REVENUECAT_CHAIN}, and ${user}.`,
    },
  );
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** RevenueCat separates columns by semicolons. */
function parseHeader(first: Uint8Array): { columns: string[]; delimiter: string } {
  const [header = ''] = new TextDecoder().decode(first).replace(BYTE_ORDER_MARK, '').split(/\r?\n/);
  const delimiter = header.includes(';') ? ';' : ',';
  const columns = header.split(delimiter).map((cell) => cell.trim().replaceAll('"', ''));
  return { columns, delimiter };
}

/** Plain, gzipped or every file of a ZIP. Throws `invalid_input`. */
export async function* purchaseRows(path: string): AsyncGenerator<FileRow> {
  for await (const { name, pieces } of unpack(path)) {
    const peeked = await peek(pieces);
    if (!peeked) continue;
    const { columns, delimiter } = parseHeader(peeked.first);
    const read = rowReader(columns);
    const rows = parse({
      bom: true,
      columns: (header: string[]) => header.map((cell) => cell.trim()),
      delimiter,
      max_record_size: ROW_MAX_CHARACTERS,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const source = Readable.from(utf8Only(name, peeked.all));
    source.on('error', (cause) => rows.destroy(cause));
    for await (const row of source.pipe(rows)) yield read(row);
  }
}
