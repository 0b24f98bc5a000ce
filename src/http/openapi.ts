import { OptionalKind, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { AnyElysia } from 'elysia';
import { must } from '../shared/assert.ts';
import { ERROR_STATUS } from '../shared/errors.ts';
import { type Access, accessTable } from './access.ts';
import recorded from './answer-examples.json' with { type: 'json' };
import { accessSentence, toSecurity } from './openapi-access.ts';
import { HEADERS, responseHeaders, SECURITY_SCHEMES, TAGS } from './openapi-components.ts';
import { ErrorResponses } from './openapi-errors.ts';
import { DocumentSchemas, type JsonSchema } from './openapi-schema.ts';

const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.Unsafe({ type: 'string', enum: Object.keys(ERROR_STATUS) }),
      message: Type.String({ description: 'A sentence for people' }),
      hint: Type.Optional(
        Type.String({ description: 'What to do; for a field that does not fit, `field: rule`' }),
      ),
    }),
  },
  { title: 'Error', description: 'The body of every response with a status of 400 or above' },
);

type Content = Readonly<Record<string, { schema: TSchema }>>;

type RouteDetail = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  hide?: boolean;
  'x-same-as'?: string;
  /** POST that only asks: a tool of assistants with the body as this argument. */
  'x-asks'?: string;
  /** Optional in the contract, always sent by our clients. */
  'x-always-sent'?: readonly string[];
  /** For handlers that read the body themselves. */
  requestBody?: { content: Content };
  responses?: Readonly<Record<string, { content: Content }>>;
};

type RouteSchemas = {
  body?: TSchema;
  query?: TObject;
  params?: TObject;
  response?: Readonly<Record<string, TSchema>>;
  detail?: RouteDetail;
};

type Documented = RouteSchemas & {
  path: string;
  method: string;
  access: Access;
  schemas: DocumentSchemas;
  errors: ErrorResponses;
};

function toParameters({ path, params, query, schemas }: Documented): JsonSchema[] {
  const parameter = (place: 'path' | 'query', name: string, of: TSchema, required: boolean) => {
    const { description, ...schema } = schemas.refer(of);
    const said = description === undefined ? {} : { description };
    return { name, in: place, ...said, required, schema };
  };
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    parameter('path', name, params?.properties[name] ?? Type.String(), true),
  );
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    parameter('query', name, schema, query?.required?.includes(name) ?? false),
  );
  return [...inPath, ...inQuery];
}

function toRequestBody({ body, detail, access, schemas }: Documented): JsonSchema | undefined {
  const schema = detail?.requestBody?.content['application/json']?.schema ?? body;
  if (!schema) return undefined;
  const shown = access.invalid === undefined ? schemas.referClosed(schema) : schemas.refer(schema);
  const [example] = schema.examples ?? [];
  const media = { schema: shown, ...(example !== undefined && { example }) };
  return { required: !(OptionalKind in schema), content: { 'application/json': media } };
}

function describeSchema({ title, type, items, anyOf }: TSchema): string {
  if (title !== undefined) return `\`${title}\``;
  if (type === 'array') return `A list of ${describeSchema(items)}`;
  if (type === 'string') return 'Text';
  const variants: TSchema[] = anyOf ?? [];
  const named = variants.find((variant) => variant.title !== undefined);
  return named ? `${describeSchema(named)}, or null` : 'An object';
}

const ANSWERS: Readonly<Record<string, string>> = { 201: 'Made. ', 202: 'Accepted. ' };

function toContent(schema: TSchema): Content {
  if (schema.type === 'void') return {};
  return { [schema.type === 'string' ? 'text/plain' : 'application/json']: { schema } };
}

const RECORDED: ReadonlyMap<string, unknown> = new Map(Object.entries(recorded));

/** By operation, else by the title of the answer. */
function toExample(
  operationId: string,
  { title = '', type, items }: TSchema,
): { example?: unknown } {
  const key = [operationId, title].find((name) => RECORDED.has(name));
  if (key !== undefined) return { example: RECORDED.get(key) };
  const { example } = type === 'array' ? toExample('', items) : {};
  return example === undefined ? {} : { example: [example] };
}

function toAnswer(route: Documented, status: string, content: Content): [string, JsonSchema] {
  const { access, detail, schemas } = route;
  const shown = Object.entries(content).map(([type, { schema }]): [string, JsonSchema] => [
    type,
    {
      schema: schemas.refer(schema),
      ...(type === 'application/json' && toExample(detail?.operationId ?? '', schema)),
    },
  ]);
  const answers = Object.values(content).map(({ schema }) => describeSchema(schema));
  const description = `${ANSWERS[status] ?? ''}${answers.join(', or ') || 'Done; there is no body'}.`;
  const headers = responseHeaders(access, Number(status));
  return [
    status,
    { description, headers, ...(shown.length > 0 && { content: Object.fromEntries(shown) }) },
  ];
}

function toOperation(route: Documented): JsonSchema {
  const { access, detail = {}, errors, method, response = {} } = route;
  const { operationId, summary, description, tags, responses = {} } = detail;
  const { 'x-asks': asks, 'x-same-as': sameAs, 'x-always-sent': alwaysSent } = detail;
  const parameters = toParameters(route);
  const requestBody = toRequestBody(route);
  const security = toSecurity(access);
  const answers = [
    ...Object.entries(response).map(([status, one]) => toAnswer(route, status, toContent(one))),
    ...Object.entries(responses).map(([status, one]) => toAnswer(route, status, one.content)),
  ];
  return {
    operationId,
    summary,
    description: [description, accessSentence(access)].filter(Boolean).join('\n\n'),
    tags,
    ...(sameAs && { 'x-same-as': sameAs }),
    ...(asks && { 'x-asks': asks }),
    ...(alwaysSent && { 'x-always-sent': alwaysSent }),
    ...(access.permission && { 'x-permission': access.permission }),
    ...(access.roles && { 'x-roles': access.roles }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    // An empty list marks the route as deliberately open.
    security,
    responses: {
      ...errors.refer(method, access),
      ...Object.fromEntries(answers),
      ...(answers.every(([status]) => status.startsWith('3')) && {
        default: errors.internal(access),
      }),
    },
  };
}

export function openApiDocument(app: AnyElysia) {
  const table = accessTable(app);
  const schemas = new DocumentSchemas();
  const errors = new ErrorResponses(schemas.refer(ErrorEnvelope));
  const paths: Record<string, JsonSchema> = {};
  for (const { method, path, hooks } of app.routes) {
    const { detail, ...rest }: RouteSchemas = hooks;
    if (detail?.hide) continue;
    const access = must(table[`${method} ${path}`], 'every route has its access');
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = toOperation({
      ...rest,
      ...(detail && { detail }),
      path,
      method: method.toLowerCase(),
      access,
      schemas,
      errors,
    });
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mobile App Control Plane',
      version: '1.0.0',
      contact: { name: 'Whoever runs this installation' },
      description:
        'Apps, product events and funnels, purchases, store sales, marketing and logs of an organization. A path without a route is 404 with the message "There is no such route."; a method that a path does not have is 405 with its methods in `Allow`.',
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      examples: errors.examples(),
      responses: errors.all(),
      schemas: schemas.all(),
    },
  };
}
