import { ERROR_STATUS } from '../../src/shared/errors.ts';
import type { Described, Schema } from './src/described.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  security?: Record<string, unknown>[];
};
export type OpenApi = { paths: Record<string, Record<string, Operation>> };

const CHECKED = new Set(
  `type properties required items enum const anyOf minItems maxItems uniqueItems pattern minLength
  maxLength minimum maximum patternProperties additionalProperties minProperties format`.split(
    /\s+/,
  ),
);
const SAYS_NOTHING = new Set(['description', 'examples', 'example', 'default', 'title', '$id']);

/** Only what is checked. Fails on a keyword that the client's check does not know. */
function slim(schema: Schema): Schema {
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (SAYS_NOTHING.has(keyword)) continue;
    if (!CHECKED.has(keyword)) throw new Error(`The client cannot check "${keyword}".`);
    kept[keyword] = value;
    if (keyword === 'items') kept.items = slim(value as Schema);
    if (keyword === 'additionalProperties' && typeof value === 'object') {
      kept.additionalProperties = slim(value as Schema);
    }
    if (keyword === 'anyOf') kept.anyOf = (value as Schema[]).map(slim);
    if (keyword === 'properties' || keyword === 'patternProperties') {
      const entries = Object.entries(value as Record<string, Schema>);
      kept[keyword] = Object.fromEntries(entries.map(([name, each]) => [name, slim(each)]));
    }
  }
  return kept;
}

/** `postV1AuthSign-upEmail` → `postAuthSignUpEmail`. */
export function methodName(operationId: string): string {
  return operationId
    .replace(/^([a-z]+)V1/, '$1')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function each<T>(
  document: OpenApi,
  work: (method: string, path: string, one: Operation) => T,
): T[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => work(method, path, operation)),
  );
}

const json = (part: Content | undefined) => part?.content?.['application/json']?.schema;

function successOf(operation: Operation): [string, Content][] {
  return Object.entries(operation.responses).filter(([status]) => status < '300');
}

export function describeOperations(document: OpenApi): Record<string, Described> {
  return Object.fromEntries(
    each(document, (method, path, operation): [string, Described] => {
      const answers = successOf(operation).map(
        ([status, response]): [string, Schema | string | null] => {
          const schema = json(response);
          if (schema) return [status, slim(schema)];
          return [status, response.content ? 'text' : null];
        },
      );
      const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
      return [
        methodName(operation.operationId),
        {
          method: method.toUpperCase(),
          path,
          device: schemes.includes('device'),
          answers: Object.fromEntries(answers),
        },
      ];
    }),
  );
}

function objectType(schema: Schema): string {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(each)}`,
  );
  const open = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  const rest = typeof open === 'object' ? typeOf(open) : 'unknown';
  if (fields.length === 0) return `Record<string, ${rest}>`;
  return `{ ${fields.join('; ')} }`;
}

/** The TypeScript type of what a schema lets through. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return `(${schema.anyOf.map(typeOf).join(' | ')})`;
  if (schema.type === 'array') return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return ['string', 'boolean', 'null'].includes(String(schema.type))
    ? String(schema.type)
    : 'unknown';
}

function inputType({ parameters = [], requestBody }: Operation): string {
  const path = parameters.filter((one) => one.in === 'path').map((one) => `${one.name}: string`);
  const query = parameters.filter((one) => one.in === 'query');
  const queryFields = query.map(
    (one) => `${one.name}${one.required ? '' : '?'}: ${typeOf(one.schema)}`,
  );
  const queryNeeded = query.some((one) => one.required);
  const body = requestBody && json(requestBody);
  const fields = [
    ...path,
    ...(query.length ? [`query${queryNeeded ? '' : '?'}: { ${queryFields.join('; ')} }`] : []),
    ...(requestBody
      ? [`body${requestBody.required ? '' : '?'}: ${body ? typeOf(body) : 'unknown'}`]
      : []),
  ];
  return fields.length ? `{ ${fields.join('; ')} }` : 'Record<never, never>';
}

function outputType(operation: Operation): string {
  const types = successOf(operation).map(([, response]) => {
    const schema = json(response);
    if (schema) return typeOf(schema);
    return response.content ? 'string' : 'undefined';
  });
  return [...new Set(types)].join(' | ') || 'undefined';
}

/** The file of types: what each method takes and gives. */
export function typesOf(document: OpenApi): string {
  const operations = each(
    document,
    (
      method,
      path,
      operation,
    ) => `  /** ${operation.summary ?? ''} (\`${method.toUpperCase()} ${path}\`) */
  ${methodName(operation.operationId)}: { input: ${inputType(operation)}; output: ${outputType(operation)} };`,
  );
  return `// Written by \`bun clients/api/generate.ts\` from the OpenAPI document; not to be edited.

/** Every code that an error of the service can have. */
export type ErrorCode = ${Object.keys(ERROR_STATUS)
    .map((code) => `'${code}'`)
    .join(' | ')};

/** What each method takes and gives. */
export interface Operations {
${operations.join('\n')}
}
`;
}
