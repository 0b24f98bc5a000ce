import type { Schema } from './described.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

type Fault = string | null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeFault(value: unknown, type: string): Fault {
  const fits =
    type === 'object'
      ? isObject(value)
      : type === 'array'
        ? Array.isArray(value)
        : type === 'integer'
          ? Number.isInteger(value)
          : type === 'null'
            ? value === null
            : typeof value === type;
  return fits ? null : `is not of type ${type}`;
}

function textFault(value: string, schema: Schema): Fault {
  const length = [...value].length;
  if (length < (schema.minLength ?? 0)) return `is shorter than ${schema.minLength}`;
  if (length > (schema.maxLength ?? length)) return `is longer than ${schema.maxLength}`;
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) return 'has another form';
  const form = { date: DATE, 'date-time': DATE_TIME }[schema.format ?? ''];
  if (form && (!form.test(value) || Number.isNaN(Date.parse(value))))
    return `is no ${schema.format}`;
  return null;
}

function numberFault(value: number, schema: Schema): Fault {
  if (value < (schema.minimum ?? value)) return `is less than ${schema.minimum}`;
  return value > (schema.maximum ?? value) ? `is more than ${schema.maximum}` : null;
}

/** Named schemas, which others refer to. */
type Schemas = Readonly<Record<string, Schema>>;

function listFault(value: unknown[], schema: Schema, schemas: Schemas, path: string): Fault {
  if (value.length < (schema.minItems ?? 0)) return `${path} has too few items`;
  if (value.length > (schema.maxItems ?? value.length)) return `${path} has too many items`;
  const { items, uniqueItems } = schema;
  if (uniqueItems && new Set(value.map((one) => JSON.stringify(one))).size < value.length) {
    return `${path} has an item twice`;
  }
  if (!items) return null;
  for (const [index, item] of value.entries()) {
    const fault = findFault(item, items, schemas, `${path}/${index}`);
    if (fault) return fault;
  }
  return null;
}

function schemaOfField(name: string, schema: Schema): Schema | boolean | undefined {
  const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  if (own) return own;
  const patterns = Object.entries(schema.patternProperties ?? {});
  const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name));
  return found?.[1] ?? schema.additionalProperties;
}

function objectFault(
  value: Record<string, unknown>,
  schema: Schema,
  schemas: Schemas,
  path: string,
): Fault {
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}/${missing} is missing`;
  if (Object.keys(value).length < (schema.minProperties ?? 0)) return `${path} has too few fields`;
  for (const [name, field] of Object.entries(value)) {
    const known = schemaOfField(name, schema);
    if (known === false) return `${path}/${name} is not expected`;
    const fault =
      typeof known === 'object' ? findFault(field, known, schemas, `${path}/${name}`) : null;
    if (fault) return fault;
  }
  return null;
}

/** A newer service may answer with a word that this client does not know yet. */
const isKnownOrNew = (value: unknown, known: readonly unknown[]): boolean =>
  known.includes(value) ||
  (typeof value === 'string' && known.every((one) => one === null || typeof one === 'string'));

/** The first thing in `value` that does not fit, with its path; null when everything does. */
export function findFault(value: unknown, schema: Schema, schemas: Schemas = {}, path = ''): Fault {
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref];
  if (named) return findFault(value, named, schemas, path);
  const here = (fault: Fault) => fault && `${path || '/'} ${fault}`;
  if (schema.anyOf) {
    const faults = schema.anyOf.map((one) => findFault(value, one, schemas, path));
    // With one real variant beside null, its own complaint says more.
    return faults.includes(null)
      ? null
      : (faults.find((one) => !one?.endsWith('type null')) ?? null);
  }
  const constant = 'const' in schema ? schema.const : schema['x-const'];
  if (constant !== undefined && value !== constant) return here('has another value');
  if (schema.enum && !isKnownOrNew(value, schema.enum)) return here('is none of the values');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const wrongTypes = types.map((type) => typeFault(value, type));
  const [wrongType] = wrongTypes;
  if (wrongType && !wrongTypes.includes(null)) return here(wrongType);
  if (typeof value === 'string') return here(textFault(value, schema));
  if (typeof value === 'number') return here(numberFault(value, schema));
  if (Array.isArray(value)) return listFault(value, schema, schemas, path);
  return isObject(value) ? objectFault(value, schema, schemas, path) : null;
}
