import type { JSONObject } from '@modelcontextprotocol/server';
import { type Static, Type } from '@sinclair/typebox';
import { must } from '../shared/assert.ts';
import { invalidInput } from '../shared/errors.ts';
import { type Permission, PERMISSIONS } from '../shared/permissions.ts';
import { OneOf, parser } from '../shared/schema.ts';

/** Throws `invalid_input`: URL parsers resolve them even when escaped. */
function pathSegment(text: string, field: string): string {
  if (text === '.' || text === '..') throw invalidInput(field, 'must not be "." or ".."');
  return encodeURIComponent(text);
}

const JsonSchema = Type.Unsafe<JSONObject>(Type.Record(Type.String(), Type.Unknown()));
type JsonSchema = Static<typeof JsonSchema>;
const jsonSchema = parser(JsonSchema, 'schema of the OpenAPI document');

const Parameter = Type.Object({
  name: Type.String(),
  in: OneOf(['path', 'query']),
  required: Type.Boolean(),
  description: Type.Optional(Type.String()),
  schema: JsonSchema,
});

const Operation = Type.Object({
  operationId: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  description: Type.String(),
  'x-same-as': Type.Optional(Type.String()),
  'x-asks': Type.Optional(Type.String()),
  'x-permission': Type.Optional(OneOf(PERMISSIONS)),
  parameters: Type.Optional(Type.Array(Parameter)),
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  requestBody: Type.Optional(
    Type.Object({
      content: Type.Object({ 'application/json': Type.Object({ schema: JsonSchema }) }),
    }),
  ),
});
const documents = parser(
  Type.Object({
    paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
    components: Type.Object({ schemas: Type.Record(Type.String(), JsonSchema) }),
  }),
  'OpenAPI document',
);

type Parameter = Static<typeof Parameter>;
type Operation = Static<typeof Operation>;

export type ReadTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, JsonSchema>;
    required: string[];
    $defs?: Record<string, JsonSchema>;
  };
  permission: Permission | undefined;
  path: string;
  parameters: readonly Parameter[];
  body: string | null;
};

const IDS: Readonly<Record<string, string>> = {
  id: 'The id of an app: listApps gives it.',
  funnelId: 'The id of a funnel: listFunnels gives it.',
  flagId: 'The id of a flag: listFlags gives it.',
  experimentId: 'The id of an experiment: listExperiments gives it.',
  onboardingId: 'The id of an onboarding: listOnboardings gives it.',
  questionId: 'The id of a saved question: listQuestions gives it.',
  watchId: 'The id of a watch: listWatches gives it.',
  segmentId: 'The id of a segment: listSegments gives it.',
  webhookId: 'The id of a webhook: listWebhooks gives it.',
  personId: 'A user id or an anonymous id, as the events carry it.',
};

function toProperty({ name, in: place, description, schema }: Parameter): [string, JsonSchema] {
  const said = description ?? (place === 'path' ? IDS[name] : undefined);
  return [name, said === undefined ? schema : { ...schema, description: said }];
}

const COMPONENT = /"#\/components\/schemas\/(\w+)"/g;

function bodySchema(schema: JsonSchema, components: Record<string, JsonSchema>) {
  const named = new Map<string, JsonSchema>();
  const moved = (one: JsonSchema): JsonSchema => {
    const text = JSON.stringify(one).replaceAll(COMPONENT, (_, name: string) => {
      if (!named.has(name)) {
        named.set(name, {});
        named.set(name, moved(must(components[name], `the document has ${name}`)));
      }
      return `"#/$defs/${name}"`;
    });
    return jsonSchema.parse(JSON.parse(text));
  };
  return { schema: moved(schema), $defs: Object.fromEntries(named) };
}

function toInputSchema(
  { parameters = [], 'x-asks': body, requestBody }: Operation,
  components: Record<string, JsonSchema>,
): ReadTool['inputSchema'] {
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map(toProperty));
  if (body === undefined) return { type: 'object', properties, required };
  const { schema } = must(requestBody, 'it asks by a body').content['application/json'];
  const { schema: shown, $defs } = bodySchema(schema, components);
  return {
    type: 'object',
    properties: { ...properties, [body]: shown },
    required: [...required, body],
    $defs,
  };
}

export function readTools(document: object): ReadTool[] {
  const { paths, components } = documents.parse(document);
  const parsed = Object.entries(paths);
  const elsewhere = new Map(parsed.map(([path, { get }]) => [get?.['x-same-as'], path]));
  const reads = parsed.flatMap(([path, { get, post }]) => [
    ...(get && !get['x-same-as'] ? [{ path, operation: get }] : []),
    ...(post?.['x-asks'] === undefined ? [] : [{ path, operation: post }]),
  ]);
  return reads.flatMap(({ path, operation }): ReadTool[] => {
    const { operationId, summary, parameters = [], security } = operation;
    const takesKeys = security?.some((scheme) => 'orgKey' in scheme);
    if (!operationId || !takesKeys) return [];
    return [
      {
        name: operationId,
        title: summary ?? operationId,
        description: `${summary}. ${operation.description}`,
        inputSchema: toInputSchema(operation, components.schemas),
        permission: operation['x-permission'],
        path: elsewhere.get(operationId) ?? path,
        parameters,
        body: operation['x-asks'] ?? null,
      },
    ];
  });
}

export type Target = { address: string; body: string | null };

/**
 * Unknown arguments of GET are refused later. Throws `invalid_input` for others, and for ids that
 * alter the path.
 */
export function toTarget(
  { path, parameters, body }: ReadTool,
  given: Record<string, unknown>,
): Target {
  const left = new Map(Object.entries(given));
  const asked = body === null ? null : left.get(body);
  if (body !== null) left.delete(body);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return pathSegment(String(value ?? ''), name);
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    if (body !== null) throw invalidInput(name, 'is not an argument of this tool');
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const isAbsent = value === null && parameters.some((one) => one.name === name);
    if (!isAbsent) query.append(name, text);
  }
  return {
    address: `${filled}${query.size > 0 ? `?${query}` : ''}`,
    body: asked === null || typeof asked === 'string' ? asked : JSON.stringify(asked),
  };
}
