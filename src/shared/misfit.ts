import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';

/** `/events/3/name` → `events[3].name` */
function fieldName(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => {
      if (/^\d+$/.test(part)) return `${name}[${part}]`;
      return name === '' ? part : `${name}.${part}`;
    }, '');
}

function range(schema: TSchema, low: string, high: string): string {
  const min: unknown = schema[low];
  const max: unknown = schema[high];
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

function stringRule(schema: TSchema): string {
  if (schema.format === 'date') return 'must be a date such as 2026-11-21';
  if (schema.format === 'date-time') return 'must be an ISO 8601 date-time with an offset';
  const length = range(schema, 'minLength', 'maxLength');
  const pattern = schema.pattern === undefined ? '' : ` that matches ${schema.pattern}`;
  return `must be a string${length && ` with a length${length}`}${pattern}`;
}

function describeRule(schema: TSchema): string {
  if (typeof schema.rule === 'string') return schema.rule;
  if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return `must be ${JSON.stringify(schema.const)}`;
  switch (schema.type) {
    case 'string':
      return stringRule(schema);
    case 'integer':
      return `must be a whole number${range(schema, 'minimum', 'maximum')}`;
    case 'number':
      return `must be a number${range(schema, 'minimum', 'maximum')}`;
    case 'boolean':
      return 'must be true or false';
    case 'array':
      return `must be an array${range(schema, 'minItems', 'maxItems')}`;
    case 'object':
      return 'must be an object';
    default:
      return unionRule(schema);
  }
}

function unionRule(schema: TSchema): string {
  const variants: unknown = schema.anyOf;
  if (!Array.isArray(variants)) return 'does not fit';
  const rules = variants.map((variant: TSchema) =>
    variant.type === 'null' ? 'must be null' : describeRule(variant),
  );
  return [...new Set(rules)].join(' or ');
}

function distance({ type, value, schema }: ValueError): number {
  if (value === undefined || type === ValueErrorType.ObjectAdditionalProperties) return 1;
  return schema.const === undefined && schema.enum === undefined ? 0 : 2;
}

const isWord = (schema: TSchema): boolean =>
  schema.const !== undefined || Array.isArray(schema.enum);

/** Every word that tells it from others is as it says. */
function isTold(variant: TSchema, value: unknown): boolean {
  const { anyOf, properties } = variant;
  if (Array.isArray(anyOf)) return anyOf.some((inner) => isTold(inner, value));
  if (typeof properties !== 'object' || typeof value !== 'object' || value === null) return false;
  const words = Object.entries<TSchema>(properties).filter(([, schema]) => isWord(schema));
  return (
    words.length > 0 &&
    words.every(([name, schema]) => Value.Check(schema, Reflect.get(value, name)))
  );
}

/** Without such words, the one with all its members. */
function hasItsMembers(variant: TSchema, value: unknown): boolean {
  const { required } = variant;
  if (!Array.isArray(required) || typeof value !== 'object' || value === null) return false;
  return required.length > 0 && required.every((name) => Object.hasOwn(value, name));
}

/** Null where no word says so. */
function variantMeant({ schema, value, errors }: ValueError): ValueError | null {
  const variants: unknown = schema.anyOf;
  if (!Array.isArray(variants)) return null;
  const told = variants.findIndex((variant) => isTold(variant, value));
  const meant = told === -1 ? variants.findIndex((variant) => hasItsMembers(variant, value)) : told;
  return errors[meant]?.First() ?? null;
}

/** From the best-matching union variant. */
function deepest(error: ValueError): ValueError {
  const meant = variantMeant(error);
  if (meant) return deepest(meant);
  if (typeof error.schema.rule === 'string') return error;
  const [nested] = error.errors
    .flatMap((iterator) => iterator.First() ?? [])
    .filter((candidate) => candidate.path.length > error.path.length)
    .toSorted((one, other) => distance(one) - distance(other));
  return nested ? deepest(nested) : error;
}

function ruleBroken({ type, schema, value }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not a field of this request';
  if (type === ValueErrorType.ArrayUniqueItems) return 'must not hold the same value twice';
  return `${value === undefined ? 'is required; it ' : ''}${describeRule(schema)}`;
}

/** `part` names the whole value. */
export function findMisfit(part: string, error: ValueError): { field: string; rule: string } {
  const cause = deepest(error);
  return { field: fieldName(cause.path) || part, rule: ruleBroken(cause) };
}

export function describeValueError(part: string, error: ValueError | undefined): string {
  if (!error) return `${part}: does not fit`;
  const { field, rule } = findMisfit(part, error);
  return `${field}: ${rule}`;
}
