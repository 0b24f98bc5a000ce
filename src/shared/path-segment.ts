import { invalidInput } from './errors.ts';

/**
 * The text as one segment of a path. Throws `invalid_input` for `.` and `..`, which every URL parser
 * takes for another path, escaped or not.
 */
export function pathSegment(text: string, field: string): string {
  if (text === '.' || text === '..') throw invalidInput(field, 'must not be "." or ".."');
  return encodeURIComponent(text);
}
