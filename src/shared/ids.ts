import { typeidUnboxed } from 'typeid-js';
import { AppError } from './errors.ts';

/** Every kind of id that this service makes. Ids sort by the time they were made. */
const PREFIXES = [
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
  'bun',
  'swp',
] as const;

export type IdPrefix = (typeof PREFIXES)[number];

/** A new id such as `app_01h455vb4pex5vsknk084sn02q` (TypeID: UUIDv7 in Crockford base 32). */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Ids of ours, of Better Auth and of the store: nothing that means anything in a path or a query. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** The id, before it becomes part of a path, a prefix or a statement. Throws `invalid_input`. */
export function parseId(value: unknown, field: string): string {
  if (isId(value)) return value;
  throw new AppError('invalid_input', 'An id is malformed.', { hint: `${field}: is not an id` });
}

/**
 * Checks every field of an input whose name says that it holds an id (`orgId`, `fileIds`).
 * Throws `invalid_input`.
 */
export function checkIds(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  for (const [field, value] of Object.entries(input)) {
    if (field.endsWith('Ids') && Array.isArray(value)) for (const id of value) parseId(id, field);
    else if (/Ids?$/.test(field) && value !== null && value !== undefined) parseId(value, field);
  }
}
