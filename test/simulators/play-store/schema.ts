import Ajv, { type ErrorObject } from 'ajv';
import document from './google-schema.json';

/*
 * Requests and answers of Google Play, by Google's own discovery document
 * (`scripts/play-schema.ts`).
 */

type Node = Readonly<Record<string, unknown>>;
type Parameter = { type: string; format?: string; enum?: string[]; location: string };
export type GoogleMethod = {
  id: string;
  httpMethod: string;
  path: string;
  parameters: Readonly<Record<string, Parameter>>;
  request?: { $ref: string };
  response?: { $ref: string };
  scopes: string[];
};
export type Called = { method: GoogleMethod; parameters: Readonly<Record<string, string>> };
export type Refused = { reason: 'invalid' | 'invalidValue'; message: string };

const METHODS = document.methods as unknown as GoogleMethod[];
const COMMON = document.parameters as Readonly<Record<string, Parameter>>;
export const SCOPES: ReadonlySet<string> = new Set(METHODS.flatMap(({ scopes }) => scopes));

const INT64 = '^-?(0|[1-9][0-9]{0,18})$';
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};
/** In JSON, whole numbers of 64 bits are text. */
const FORMATS: Readonly<Record<string, string>> = {
  int64: INT64,
  uint64: INT64,
  'google-datetime':
    '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
  'google-duration': '^-?\\d+(\\.\\d{1,9})?s$',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function scalar({ type, format, enum: values }: Node, isOfTomorrow: boolean): Node {
  const pattern = FORMATS[String(format)];
  const [minimum, maximum] = RANGES[String(format)] ?? [];
  return {
    type,
    ...(pattern === undefined ? {} : { pattern }),
    ...(minimum === undefined ? {} : { minimum, maximum }),
    ...(values === undefined || isOfTomorrow ? {} : { enum: values }),
  };
}

/** As JSON Schema; later additions of Google are let in where they are asked for. */
function toJsonSchema(schema: Node, isOfTomorrow: boolean): Node {
  const inner = (one: unknown) => toJsonSchema(one as Node, isOfTomorrow);
  if (typeof schema.$ref === 'string') return { $ref: `#/$defs/${schema.$ref}` };
  if (schema.type === 'array') return { type: 'array', items: inner(schema.items) };
  if (schema.type !== 'object') return scalar(schema, isOfTomorrow);
  const properties = isNode(schema.properties) ? schema.properties : {};
  const others = isNode(schema.additionalProperties) ? inner(schema.additionalProperties) : false;
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, inner(v)])),
    additionalProperties: isOfTomorrow || others,
  };
}

function compiler(isOfTomorrow: boolean) {
  const ajv = new Ajv({ allErrors: true, strict: false });
  const $defs = Object.fromEntries(
    Object.entries(document.schemas).map(([name, one]) => [name, toJsonSchema(one, isOfTomorrow)]),
  );
  ajv.addSchema({ $id: 'google', $defs });
  return (name: string) => {
    const check = ajv.getSchema(`google#/$defs/${name}`);
    if (!check) throw new Error(`Google has no ${name}.`);
    return check;
  };
}

const today = compiler(false);
const tomorrow = compiler(true);

const placeOf = ({ instancePath }: ErrorObject) => instancePath.slice(1).replaceAll('/', '.');

function say(fault: ErrorObject): string {
  const place = placeOf(fault) || 'the answer';
  if (fault.keyword === 'additionalProperties') {
    return `${place}: unknown field ${fault.params.additionalProperty}`;
  }
  return `${place}: ${fault.message}`;
}

function faultsOf(name: string, value: unknown, isOfTomorrow = false): ErrorObject[] {
  const check = (isOfTomorrow ? tomorrow : today)(name);
  // As it is sent: without undefined fields.
  return check(JSON.parse(JSON.stringify(value))) ? [] : (check.errors ?? []);
}

/** Throws for anything that is not of the schema. */
export function checkAnswer(name: string, value: unknown, isOfTomorrow = false): void {
  const faults = faultsOf(name, value, isOfTomorrow).map(say);
  if (faults.length > 0) throw new Error(`Google never answers this ${name}: ${faults.join('; ')}`);
}

const NAME = /\{(\w+)\}/g;
const ROUTES = METHODS.map((method) => {
  const escaped = method.path.replaceAll('.', '\\.');
  return { method, pattern: new RegExp(`^/${escaped.replaceAll(NAME, '(?<$1>[^/:]+)')}$`) };
});

export function findMethod(httpMethod: string, path: string): Called | null {
  for (const { method, pattern } of ROUTES) {
    const found = method.httpMethod === httpMethod ? pattern.exec(path) : null;
    if (!found) continue;
    const named = Object.entries(found.groups ?? {});
    const parameters = named.map(([name, text]) => [name, decodeURIComponent(text)]);
    return { method, parameters: Object.fromEntries(parameters) };
  }
  return null;
}

function isOfType(text: string, { type, format, enum: values }: Parameter): boolean {
  if (values) return values.includes(text);
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (format === 'int64') return new RegExp(INT64).test(text);
  if (type !== 'integer') return true;
  const [least, most] = RANGES[format ?? ''] ?? [-Infinity, Infinity];
  return /^-?\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}

function refuseQuery({ method }: Called, query: URLSearchParams): Refused | null {
  for (const [name, text] of query) {
    const own = method.parameters[name];
    const known = own?.location === 'query' ? own : COMMON[name];
    if (!known) {
      const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`;
      return { reason: 'invalid', message };
    }
    if (!isOfType(text, known)) {
      const kind = known.enum ? 'enum' : known.type;
      return { reason: 'invalidValue', message: `Invalid value at '${name}' (${kind}), "${text}"` };
    }
  }
  return null;
}

function refuseBody({ method }: Called, body: string, json: unknown): Refused | null {
  if (body === '') return null;
  const { request } = method;
  if (!request || !isNode(json)) {
    return { reason: 'invalid', message: 'Invalid JSON payload received.' };
  }
  const [fault] = faultsOf(request.$ref, json);
  if (!fault) return null;
  const place = placeOf(fault);
  if (fault.keyword === 'additionalProperties') {
    const name = fault.params.additionalProperty;
    const at = place === '' ? '' : ` at '${place}'`;
    const message = `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`;
    return { reason: 'invalid', message };
  }
  return { reason: 'invalidValue', message: `Invalid value at '${place}': ${fault.message}` };
}

/** As Google refuses a request; null of one that it understands. */
export const refuseRequest = (
  called: Called,
  { query, body, json }: { query: URLSearchParams; body: string; json: unknown },
): Refused | null => refuseQuery(called, query) ?? refuseBody(called, body, json);
