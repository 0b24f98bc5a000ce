import { swagger } from '@elysiajs/swagger';
import { type Static, Type } from '@sinclair/typebox';
import { type AnyElysia, Elysia } from 'elysia';
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import { parser } from '../shared/schema.ts';
import { ACCESS, type Access } from './access.ts';

const RAW_PATH = '/openapi.raw.json';

const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    hint: Type.Optional(Type.String()),
  }),
});

const AnyRecord = Type.Record(Type.String(), Type.Unknown());
const Operation = Type.Object(
  {
    parameters: Type.Optional(Type.Array(AnyRecord)),
    responses: Type.Optional(Type.Record(Type.String(), AnyRecord)),
    requestBody: Type.Optional(AnyRecord),
  },
  { additionalProperties: true },
);
type Operation = Static<typeof Operation>;
const Document = Type.Object(
  { paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)) },
  { additionalProperties: true },
);
const documentParser = parser(Document, 'generated OpenAPI document');
const recordParser = parser(AnyRecord, 'OpenAPI object');

const SECURITY_SCHEMES = {
  orgKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Organization key (svk_…)',
  },
  orgKeyBearer: { type: 'http', scheme: 'bearer', description: 'Organization key as Bearer token' },
  session: { type: 'apiKey', in: 'cookie', name: 'better-auth.session_token' },
  device: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-key',
    description: "The app's publishable key (svp_…)",
  },
};

/** The codes that a route can answer because of how it is reached, before its handler runs. */
export function impliedErrors(
  access: Access,
  { method, hasInput, hasBody }: { method: string; hasInput: boolean; hasBody: boolean },
): ErrorCode[] {
  const codes: ErrorCode[] = ['internal', 'unavailable'];
  if (hasInput) codes.push(access.invalid ?? 'invalid_input');
  if (hasBody) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type');
  if (access.who.includes('device')) codes.push('invalid_service_key');
  if (access.who.includes('session')) codes.push('not_signed_in', 'origin_not_allowed');
  if (access.who.includes('orgKey')) codes.push('invalid_api_key');
  if (access.who.length > 0 || access.limit !== 'none') codes.push('rate_limited');
  if (access.scope !== 'none') codes.push('no_active_organization');
  if (access.scope === 'app' || access.owns) codes.push('not_found');
  if (access.permission || access.roles) codes.push('permission_denied');
  // Two people may write one thing at once on any route that writes.
  const isOfPeople = access.who.some((one) => one !== 'device');
  if (method !== 'GET' && isOfPeople) codes.push('conflict');
  return codes;
}

/** Organization keys and device keys always have an organization. */
function withoutImpossible(access: Access, codes: readonly ErrorCode[]): ErrorCode[] {
  const sessionless = !access.who.includes('session');
  return codes.filter((code) => !(sessionless && code === 'no_active_organization'));
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, Record<string, unknown>> {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\``).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function securityOf(access: Access): Record<string, string[]>[] {
  return access.who.flatMap((credential): Record<string, string[]>[] =>
    credential === 'orgKey' ? [{ orgKey: [] }, { orgKeyBearer: [] }] : [{ [credential]: [] }],
  );
}

/** A number in a query arrives as text; the document shows the number that is meant. */
function withoutNumericStrings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumericStrings);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutNumericStrings(inner)]);
  const object = recordParser.parse(Object.fromEntries(entries));
  if (typeof object.format === 'string' && object.format.startsWith('text-')) delete object.format;
  if (!Array.isArray(object.anyOf)) return object;
  const variants = object.anyOf.filter(
    (variant) => !['integer', 'numeric', 'boolean'].includes(variant.format),
  );
  const [only, ...others] = variants;
  if (only === undefined || others.length > 0) return { ...object, anyOf: variants };
  const { anyOf: _, ...rest } = object;
  return { ...rest, ...only };
}

/** JSON is the only media type, and a body that may be left out is not required. */
function jsonContentOnly(part: Record<string, unknown>): Record<string, unknown> {
  if (part.content === undefined) return part;
  const content = recordParser.parse(part.content);
  // The one other type that routes have; they name it themselves.
  const csv = content['text/csv'];
  const json = content['application/json'] ?? content['text/plain'];
  const type = content['application/json'] === undefined ? 'text/plain' : 'application/json';
  return { ...part, content: { [type]: json, ...(csv !== undefined && { 'text/csv': csv }) } };
}

/** The generator leaves parts of the schema beside the content; only what belongs here is kept. */
function responseObject(response: Record<string, unknown>): Record<string, unknown> {
  const { description = 'Done.', content, headers } = jsonContentOnly(response);
  return {
    description,
    ...(content !== undefined && { content }),
    ...(headers !== undefined && { headers }),
  };
}

function enrich(method: string, path: string, operation: Operation): Operation {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const access = ACCESS[`${method.toUpperCase()} ${route}`];
  if (!access) throw new Error(`${method.toUpperCase()} ${route} is not in the access table.`);
  const { parameters = [], requestBody, responses = {}, ...rest } = operation;
  const hasInput = requestBody !== undefined || parameters.some((one) => one.in === 'query');
  const codes = withoutImpossible(access, [
    ...impliedErrors(access, {
      method: method.toUpperCase(),
      hasInput,
      hasBody: requestBody !== undefined,
    }),
    ...(access.errors ?? []),
  ]);
  const own = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, responseObject(response)]),
  );
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: jsonContentOnly(requestBody) }),
    ...(access.who.length > 0 && { security: securityOf(access) }),
    responses: { ...errorResponses(codes), ...own },
  };
}

/** The OpenAPI 3.1 document of the routes of `app`, with every status that each can answer. */
export async function openApiDocument(app: AnyElysia): Promise<Record<string, unknown>> {
  const generator = new Elysia()
    .use(
      swagger({
        path: '/docs.raw',
        specPath: RAW_PATH,
        exclude: ['/docs', '/docs/{asset}', '/openapi.json'],
      }),
    )
    .use(app);
  const answer = await generator.handle(new Request(`http://localhost${RAW_PATH}`));
  const generated = documentParser.parse(await answer.json());
  const paths = Object.entries(generated.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      withoutNumericStrings(enrich(method, path, operation)),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mobile App Control Plane',
      version: '1.0.0',
      description:
        'Apps, product events and funnels, purchases, store sales, marketing and logs of an organization.',
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Error: ErrorEnvelope } },
  };
}
