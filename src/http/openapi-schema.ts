import { Type } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { ownFormat } from '../shared/text.ts';

const AnyRecord = Type.Record(Type.String(), Type.Unknown());
export const recordParser = parser(AnyRecord, 'OpenAPI object');

const WITHOUT_NUL = '^[^\\u0000]*$';
const NOT_ONLY_BLANKS = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** The words of JSON Schema, whose lengths are code points too, for a format of this service. */
function boundsOf(schema: Record<string, unknown>): Record<string, unknown> | null {
  if (schema.format === 'decimal') return { type: 'number' };
  if (schema.format === 'true-or-false') return { type: 'boolean' };
  const own = ownFormat(schema.format);
  if (!own) return null;
  if (own.kind === 'integer') return { type: 'integer', minimum: own.min, maximum: own.max };
  const needsPattern = own.text !== 'any' && schema.pattern === undefined;
  const isName = own.text === 'name' && own.min > 0;
  return {
    ...(own.min > 0 && { minLength: own.min }),
    maxLength: own.max,
    ...(needsPattern && { pattern: isName ? NOT_ONLY_BLANKS : WITHOUT_NUL }),
  };
}

/**
 * A schema as the document shows it: bounds that the code checks by a format of its own are said in
 * JSON Schema, a query's text is the number that it stands for, and `whenLeftOut` is the default.
 */
export function documented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documented);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, documented(inner)]);
  const schema = recordParser.parse(Object.fromEntries(entries));
  const bounds = boundsOf(schema);
  if (bounds) delete schema.format;
  // A string is the rule in words; an object is the schema of a field with this name.
  if (typeof schema.rule === 'string') delete schema.rule;
  const { whenLeftOut, ...rest } = schema;
  return { ...rest, ...bounds, ...(whenLeftOut !== undefined && { default: whenLeftOut }) };
}
