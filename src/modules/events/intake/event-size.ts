import { isRecord } from '../../../shared/record.ts';
import type { Fields } from '../imports/event.ts';

export const MAX_EVENT_BYTES = 32 * 1024;
const ESCAPE_BYTES = 6;
/** Quotes, colon, comma, digits. */
const VALUE_CHARACTERS = 5;
/** `[],` counts as ten characters. */
const SURELY_TOO_MANY = 4 * MAX_EVENT_BYTES;
const MAX_DEPTH = 1_000;

export class Oversized extends Error {}

const charactersIn = (value: unknown, depth: number): number =>
  typeof value === 'object' && value !== null ? charactersBelow(value, depth) : 0;

/** Throws where nesting could not be written. */
function charactersBelow(parent: object, depth: number): number {
  if (depth > MAX_DEPTH) throw new Oversized(`event: at most ${MAX_DEPTH} levels deep`);
  let characters = VALUE_CHARACTERS;
  if (Array.isArray(parent)) {
    for (const value of parent) {
      if (characters > SURELY_TOO_MANY) break;
      characters += VALUE_CHARACTERS;
      characters += typeof value === 'string' ? value.length : charactersIn(value, depth + 1);
    }
  } else if (isRecord(parent)) {
    for (const name in parent) {
      if (characters > SURELY_TOO_MANY) break;
      const value = parent[name];
      characters += name.length + VALUE_CHARACTERS;
      characters += typeof value === 'string' ? value.length : charactersIn(value, depth + 1);
    }
  }
  return characters;
}

export function isTooLong(message: Fields): boolean {
  const characters = charactersBelow(message, 0);
  if (characters * ESCAPE_BYTES <= MAX_EVENT_BYTES) return false;
  if (characters > SURELY_TOO_MANY) return true;
  return Buffer.byteLength(JSON.stringify(message)) > MAX_EVENT_BYTES;
}
