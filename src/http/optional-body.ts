import { invalidInput } from '../shared/errors.ts';
import type { Parser } from '../shared/schema.ts';

/**
 * The body of a route that may be called without one. Elysia checks an optional body only when it is
 * an object that is not empty, so "text", 7 and [] would pass.
 */
export function optionalBody<T>(parser: Parser<T>, body: unknown): T | undefined {
  if (body === undefined || parser.check(body)) return body;
  throw invalidInput('body', 'must be an object as documented, or left out');
}
