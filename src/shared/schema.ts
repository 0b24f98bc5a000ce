import {
  FormatRegistry,
  type ObjectOptions,
  type Static,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { t } from 'elysia';

/** Nullable but required. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** `enum` on the wire, a union of literals in types. */
export const OneOf = <const T extends readonly [string, ...string[]]>(words: T, options = {}) => {
  const schema = t.UnionEnum(words, { type: 'string', ...options });
  // Elysia would fill in the first word.
  delete schema.default;
  return schema;
};

/** For shipped apps and the store; elsewhere typos are refused. */
export const Tolerant = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: true });

/** Once in the OpenAPI document. */
export const Named = <T extends TProperties>(
  title: string,
  properties: T,
  options: ObjectOptions = {},
) => Type.Object(properties, { ...options, title });

/** `whenLeftOut`: `default` in the OpenAPI document only. */
type QueryOptions = { description?: string; whenLeftOut?: number | boolean };

type Form = { format: string; rule: string; shown: { type: string } & Record<string, unknown> };

function readFrom<T>(
  form: Form,
  options: QueryOptions,
  accepts: (text: string) => boolean,
  read: (text: string) => T,
) {
  FormatRegistry.Set(form.format, accepts);
  const text = Type.String({ ...options, ...form });
  return Type.Unsafe<T>(Type.Transform(text).Decode(read).Encode(String));
}

const DECIMAL_INTEGER = /^(0|[1-9]\d{0,15})$/;
const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?$/;

/** Decimal digits only: not `0x10`, `1e2` or ` 5`. */
export const QueryInteger = (minimum: number, maximum: number, options: QueryOptions = {}) =>
  readFrom(
    {
      format: `integer-${minimum}-${maximum}`,
      rule: `must be a whole number from ${minimum} to ${maximum}`,
      shown: { type: 'integer', minimum, maximum },
    },
    options,
    (text) => DECIMAL_INTEGER.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    Number,
  );

/** Plain decimal digits. */
export const QueryNumber = (options: QueryOptions = {}) =>
  readFrom(
    {
      format: 'decimal',
      rule: 'must be a number in decimal digits',
      shown: { type: 'number' },
    },
    options,
    (text) => DECIMAL.test(text),
    Number,
  );

export const QueryBoolean = (options: QueryOptions = {}) =>
  readFrom(
    { format: 'true-or-false', rule: 'must be true or false', shown: { type: 'boolean' } },
    options,
    (text) => text === 'true' || text === 'false',
    (text) => text === 'true',
  );

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
/** As most clients write it; days up to 28 are in every month. */
const USUAL_DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

export function isIsoDate(value: string): boolean {
  if (!ISO_DATE.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}

export function isIsoDateTime(value: string): boolean {
  if (USUAL_DATE_TIME.test(value)) {
    return value.slice(8, 10) <= '28' || isIsoDate(value.slice(0, 10));
  }
  return (
    ISO_DATE_TIME.test(value) &&
    isIsoDate(value.slice(0, 10)) &&
    !Number.isNaN(new Date(value).getTime())
  );
}

FormatRegistry.Set('date', isIsoDate);
FormatRegistry.Set('date-time', isIsoDateTime);

export const DateTime = Type.String({ format: 'date-time' });
export const Day = Type.String({ format: 'date' });

/** Databases hold more, clients by mistake send more. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2999-12-31'];
export const WINDOW_RULE = `must lie between ${FIRST_DAY} and ${LAST_DAY}`;
export const isInWindows = (day: string): boolean => day >= FIRST_DAY && day <= LAST_DAY;

FormatRegistry.Set('window-day', (text) => isIsoDate(text) && isInWindows(text));
/** A bound of a window. */
export const WindowDay = Type.String({
  format: 'window-day',
  rule: `must be a date such as 2026-11-21, and ${WINDOW_RULE}`,
  shown: { format: 'date' },
});

export type Parser<T> = {
  check: (value: unknown) => value is T;
  /** Throws `Error` naming the first misfit. */
  parse: (value: unknown) => T;
};

/** Compiled on first use. */
export function parser<T extends TSchema>(schema: T, what: string): Parser<Static<T>> {
  let compiled: TypeCheck<T> | undefined;
  const compile = () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
  const check = (value: unknown): value is Static<T> => compile().Check(value);
  return {
    check,
    parse: (value) => {
      if (check(value)) return value;
      const first = compile().Errors(value).First();
      throw new Error(`${what}: ${first?.path || '/'} ${first?.message ?? 'does not fit'}`);
    },
  };
}
