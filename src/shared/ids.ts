import { typeidUnboxed } from 'typeid-js';
import { AppError } from './errors.ts';

/** Ids sort by creation time. */
const PREFIXES = [
  'aud',
  'app',
  'fun',
  'key',
  'evt',
  'seg',
  'run',
  'lea',
  'fil',
  'onb',
  'exp',
  'arm',
  'met',
  'whk',
  'dlv',
  'col',
  'dst',
  'req',
  'out',
  'prj',
  'prv',
  'lnk',
  'bkp',
  'log',
  'con',
  'grt',
  'imp',
  'mrk',
  'flg',
  'rul',
  'bun',
  'swp',
  'qst',
  'qry',
  'wch',
] as const;

export type IdPrefix = (typeof PREFIXES)[number];

/** TypeID, e.g. `app_01h455vb4pex5vsknk084sn02q`. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Ours, Better Auth's and the store's; safe in paths and queries. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Throws `invalid_input`. */
export function parseId(value: unknown, field: string): string {
  if (isId(value)) return value;
  throw new AppError('invalid_input', 'An id is malformed.', { hint: `${field}: is not an id` });
}

/** Fields named as ids (`orgId`, `fileIds`). Throws `invalid_input`. */
export function checkIds(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  for (const [field, value] of Object.entries(input)) {
    if (field.endsWith('Ids') && Array.isArray(value)) for (const id of value) parseId(id, field);
    else if (/Ids?$/.test(field) && value !== null && value !== undefined) parseId(value, field);
  }
}
