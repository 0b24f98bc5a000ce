import type { Described, Description, Schema } from '../../clients/api/src/described.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
  security?: Record<string, unknown>[];
  'x-same-as'?: string;
  'x-always-sent'?: string[];
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const CHECKED = new Set(
  `$ref type properties required items enum const x-const anyOf minItems maxItems uniqueItems pattern minLength
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
    if (keyword === '$ref') kept.$ref = nameOf(value as string);
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

/** `#/components/schemas/App` → `App`. */
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

function each<T>(
  document: OpenApi,
  work: (name: string, route: { method: string; path: string }, one: Operation) => T,
): T[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, operation]) => {
      const method = lower.toUpperCase();
      const name = operation.operationId;
      if (!name) throw new Error(`${method} ${path} needs a detail.operationId: its method here.`);
      return work(name, { method, path }, operation);
    }),
  );
}

const json = (part: Content | undefined) => part?.content?.['application/json']?.schema;

function successOf(operation: Operation): [string, Content][] {
  return Object.entries(operation.responses).filter(([status]) => status < '300');
}

/** The named schemas that answers consist of, in whatever depth. */
function usedSchemas(document: OpenApi, answers: readonly unknown[]): Record<string, Schema> {
  const used = new Map<string, Schema>();
  const collect = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"(\w+)"/g)) {
      const schema = document.components.schemas[name];
      if (!schema || used.has(name)) continue;
      used.set(name, slim(schema));
      collect(used.get(name));
    }
  };
  collect(answers);
  return Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** By the operation with ids in its path, the path of the one that takes them elsewhere. */
function safePaths(document: OpenApi): Map<string, string> {
  const pairs = each(document, (_, { path }, operation): [string, string][] => {
    const sameAs = operation['x-same-as'];
    return sameAs ? [[sameAs, path]] : [];
  });
  return new Map(pairs.flat());
}

export function describeOperations(document: OpenApi): Description {
  const elsewhere = safePaths(document);
  const operations = each(document, (name, { method, path }, operation): [string, Described] => {
    const safe = elsewhere.get(name);
    const ids = safe ? namesIn(path).filter((id) => !namesIn(safe).includes(id)) : undefined;
    const needs = operation['x-always-sent'];
    const answers = successOf(operation).map(
      ([status, response]): [string, Schema | string | null] => {
        const schema = json(response);
        if (schema) return [status, slim(schema)];
        return [status, response.content ? 'text' : null];
      },
    );
    const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
    const device = schemes.includes('device');
    return [
      name,
      {
        method,
        path: safe ?? path,
        ...(ids && { ids }),
        ...(needs && { needs }),
        device,
        answers: Object.fromEntries(answers),
      },
    ];
  });
  return {
    operations: Object.fromEntries(operations),
    schemas: usedSchemas(document, operations),
  };
}

function objectType(schema: Schema): string {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, each]) => {
    const said = each.description ? `/** ${each.description} */\n` : '';
    return `${said}${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(each)}`;
  });
  const open = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  const rest = typeof open === 'object' ? typeOf(open) : 'unknown';
  if (fields.length === 0) return `Record<string, ${rest}>`;
  return `{ ${fields.some((field) => field.startsWith('/**')) ? '\n' : ''}${fields.join(';\n')} }`;
}

const withoutNull = ({ enum: values, ...schema }: Schema): Schema => ({
  ...schema,
  ...(values && { enum: values.filter((value) => value !== null) }),
});

/** The TypeScript type of what a schema lets through. */
function typeOf(schema: Schema): string {
  if (Array.isArray(schema.type)) {
    const variants = schema.type.map((type) => typeOf({ ...withoutNull(schema), type }));
    return `(${[...new Set(variants)].join(' | ')})`;
  }
  if (schema['x-const'] !== undefined) return String(schema['x-const']);
  if (schema.type === 'null') return 'null';
  if (schema.$ref) return nameOf(schema.$ref);
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

function inputType({ parameters = [], requestBody, ...operation }: Operation): string {
  const path = parameters.filter((one) => one.in === 'path').map((one) => `${one.name}: string`);
  const query = parameters.filter((one) => one.in === 'query');
  const isNeeded = ({ name, required }: Parameter) =>
    required === true || operation['x-always-sent']?.includes(name) === true;
  const queryFields = query.map(
    (one) => `${one.name}${isNeeded(one) ? '' : '?'}: ${typeOf(one.schema)}`,
  );
  const queryNeeded = query.some(isNeeded);
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

/** The file of types: the named schemas, and what each method takes and gives. */
export function typesOf(document: OpenApi): string {
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => {
      const said = schema.description ? `/** ${schema.description} */\n` : '';
      return `${said}export type ${name} = ${typeOf(schema)};`;
    });
  const operations = each(document, (name, { method, path }, operation) => {
    const said = [`${operation.summary} (\`${method} ${path}\`)`, operation.description ?? '']
      .join('\n\n')
      .replaceAll('\n', '\n   * ');
    return `  /**
   * ${said}
   */
  ${name}: { input: ${inputType(operation)}; output: ${outputType(operation)} };`;
  });
  const codes = document.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
  return `// Written by \`bun scripts/api-client.ts\` from the OpenAPI document; not to be edited.

/** Every code that an error of the service can have. */
export type ErrorCode = ${codes.map((code) => JSON.stringify(code)).join(' | ')};

${schemas.join('\n\n')}

/** What each method takes and gives. */
export interface Operations {
${operations.join('\n')}
}
`;
}
