import { invalidInput } from '../../../shared/errors.ts';
import { isNoId } from '../../../shared/identity.ts';
import { codePointLength } from '../../../shared/text.ts';
import { IMPORT_COLUMNS } from './model.ts';

export type ImportLine = {
  line: number;
  userId: string;
  chainId: string;
  isValid: boolean;
};

const CELL = '\\s*(?:"((?:[^"]|"")*)"|([^",]*?))\\s*';
/** Two cells of RFC 4180. */
const LINE = new RegExp(`^${CELL},${CELL}$`);
const COLUMNS = IMPORT_COLUMNS.map((column) => `\\s*"?${column}"?\\s*`);
const HEADER = new RegExp(`^\uFEFF?${COLUMNS.join(',')}$`, 'i');
const TRANSACTION_ID = /^[0-9A-Za-z]{1,64}$/;
const MAX_USER_ID = 128;
const MAX_SHOWN = 128;

const isUserId = (text: string) =>
  !isNoId(text) &&
  codePointLength(text) <= MAX_USER_ID &&
  !text.includes('\0') &&
  text.isWellFormed();

type Purchase = Pick<ImportLine, 'chainId' | 'userId'>;

export const isPurchase = ({ userId, chainId }: Purchase): boolean =>
  isUserId(userId) && TRANSACTION_ID.test(chainId);

function readLine(text: string, line: number): ImportLine {
  const cells = LINE.exec(text);
  const cell = (quoted: string | undefined, plain: string | undefined) =>
    quoted?.replaceAll('""', '"') ?? plain ?? '';
  const userId = cell(cells?.[1], cells?.[2]);
  const chainId = cell(cells?.[3], cells?.[4]);
  const isValid = cells !== null && isPurchase({ userId, chainId });
  if (isValid) return { line, userId, chainId, isValid };
  const shown = text.toWellFormed().replaceAll('\0', '').slice(0, MAX_SHOWN);
  return { line, userId: shown, chainId: '', isValid };
}

/** Throws `invalid_input` for a wrong header or an empty file. */
export function parseImport(csv: string): ImportLine[] {
  const [header = '', ...rest] = csv.split(/\r\n|\n|\r/);
  if (!HEADER.test(header)) {
    throw invalidInput('csv', `the first line must be ${IMPORT_COLUMNS.join(',')}`);
  }
  const lines = rest
    .map((text, index) => ({ text, line: index + 2 }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => readLine(text, line));
  if (lines.length === 0) throw invalidInput('csv', 'must have a line after the header');
  return lines;
}
