import { invalidInput } from './errors.ts';

/** Throws `invalid_input`: URL parsers resolve them even when escaped. */
export function pathSegment(text: string, field: string): string {
  if (text === '.' || text === '..') throw invalidInput(field, 'must not be "." or ".."');
  return encodeURIComponent(text);
}
