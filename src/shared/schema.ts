import {
  FormatRegistry,
  type ObjectOptions,
  type Static,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { t } from 'elysia';

/** The value or null: always present on the wire. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A closed set of words, `enum` on the wire and a union of literals in the types. */
export const OneOf = <const T extends readonly [string, ...string[]]>(words: T, options = {}) => {
  const schema = t.UnionEnum(words, { type: 'string', ...options });
  // Elysia makes the first word a default, which would fill in what a caller left out.
  delete schema.default;
  return schema;
};

/**
 * What is asked by callers that we do not control: shipped apps, the store. They may send more than
 * this release knows, and it is ignored; of everybody else an unknown field is refused as a slip.
 */
export const Tolerant = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: true });

/** An object that the OpenAPI document shows once, under its title, and refers to everywhere else. */
export const Named = <T extends TProperties>(
  title: string,
  properties: T,
  options: ObjectOptions = {},
) => Type.Object(properties, { ...options, title });

/** Options that the OpenAPI document shows; `whenLeftOut` is its `default`, filled in by nobody. */
type QueryOptions = { description?: string; whenLeftOut?: number | boolean };

/** A query is made of text, which is checked as text and then read as what it stands for. */
function readFrom<T>(
  format: string,
  options: QueryOptions,
  accepts: (text: string) => boolean,
  read: (text: string) => T,
) {
  FormatRegistry.Set(format, accepts);
  const text = Type.String({ ...options, format });
  return Type.Unsafe<T>(Type.Transform(text).Decode(read).Encode(String));
}

const DECIMAL_INTEGER = /^(0|[1-9]\d{0,15})$/;
const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?$/;

/** A whole number in a query, in plain decimal digits: neither `0x10` nor `1e2` nor ` 5`. */
export const QueryInteger = (minimum: number, maximum: number, options: QueryOptions = {}) =>
  readFrom(
    `integer-${minimum}-${maximum}`,
    options,
    (text) => DECIMAL_INTEGER.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    Number,
  );

/** A number in a query, in plain decimal digits. */
export const QueryNumber = (options: QueryOptions = {}) =>
  readFrom('decimal', options, (text) => DECIMAL.test(text), Number);

export const QueryBoolean = (options: QueryOptions = {}) =>
  readFrom(
    'true-or-false',
    options,
    (text) => text === 'true' || text === 'false',
    (text) => text === 'true',
  );

const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isIsoDate(value: string): boolean {
  if (!ISO_DATE.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}

export function isIsoDateTime(value: string): boolean {
  return (
    ISO_DATE_TIME.test(value) &&
    isIsoDate(value.slice(0, 10)) &&
    !Number.isNaN(new Date(value).getTime())
  );
}

FormatRegistry.Set('date', isIsoDate);
FormatRegistry.Set('date-time', isIsoDateTime);

/** ISO 8601 with an offset. */
export const DateTime = Type.String({ format: 'date-time' });
/** `YYYY-MM-DD`, a day that exists. */
export const Day = Type.String({ format: 'date' });

export type Parser<T> = {
  check: (value: unknown) => value is T;
  /** The value itself, typed; throws `Error` naming the first path that does not fit. */
  parse: (value: unknown) => T;
};

/** Compiles a schema into the check that every boundary uses. */
export function parser<T extends TSchema>(schema: T, what: string): Parser<Static<T>> {
  const compiled = TypeCompiler.Compile(schema);
  const check = (value: unknown): value is Static<T> => compiled.Check(value);
  return {
    check,
    parse: (value) => {
      if (check(value)) return value;
      const first = compiled.Errors(value).First();
      throw new Error(`${what}: ${first?.path || '/'} ${first?.message ?? 'does not fit'}`);
    },
  };
}
