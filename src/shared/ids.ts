import { typeidUnboxed } from 'typeid-js';

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
  'whk',
  'dlv',
  'req',
  'out',
  'prv',
  'lnk',
  'bkp',
  'log',
  'con',
] as const;

export type IdPrefix = (typeof PREFIXES)[number];

/** A new id such as `app_01h455vb4pex5vsknk084sn02q` (TypeID: UUIDv7 in Crockford base 32). */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}
