import { swagger } from '@elysiajs/swagger';
import { type Static, Type } from '@sinclair/typebox';
import { type AnyElysia, Elysia } from 'elysia';
import { must } from '../shared/assert.ts';
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import { parser } from '../shared/schema.ts';
import { type Access, accessTable } from './access.ts';
import { HEADERS, SECURITY_SCHEMES } from './openapi-components.ts';
import { documented, recordParser } from './openapi-schema.ts';

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

const headerReference = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const SAFE_METHODS = new Set(['get', 'head']);
const MAY_BE_LATER = new Set([429, 502, 503]);

/** A shipped app with a revoked key gets a long pause before its next attempt. */
function mayBeLater(access: Access, status: number): boolean {
  return MAY_BE_LATER.has(status) || (status === 401 && access.who.includes('device'));
}

/** The headers of an answer with this status; rate-limit headers where the route has a limit. */
function headersOf(access: Access, status: number): Record<string, unknown> {
  return {
    'x-request-id': headerReference('RequestId'),
    ...(access.limit !== 'none' && {
      ratelimit: headerReference('RateLimit'),
      'ratelimit-policy': headerReference('RateLimitPolicy'),
    }),
    ...(mayBeLater(access, status) && { 'retry-after': headerReference('RetryAfter') }),
  };
}

/** The codes that a route can answer because of how it is reached, before its handler runs. */
function impliedErrors(method: string, access: Access): ErrorCode[] {
  // The Host header and the query are checked on every route, what is sent as body on all but GET.
  const codes: ErrorCode[] = ['internal', 'unavailable', 'invalid_input'];
  if (access.invalid) codes.push(access.invalid);
  // Where a secret of the operator decides, neither the body nor the origin is looked at.
  if (!SAFE_METHODS.has(method) && access.secret === undefined) {
    codes.push('malformed_json', 'body_too_large', 'unsupported_media_type');
    if (!access.who.includes('device')) codes.push('origin_not_allowed');
    // On any route that writes, two people may write the same row at once.
    if (access.who.some((credential) => credential !== 'device')) codes.push('conflict');
  }
  if (access.who.includes('device')) codes.push('invalid_service_key');
  if (access.who.includes('session')) codes.push('not_signed_in', 'invalid_api_key');
  if (access.who.length > 0 || access.limit !== 'none') codes.push('rate_limited');
  if (access.scope !== 'none') codes.push('no_active_organization');
  if (access.scope === 'app' || access.owns) codes.push('not_found');
  if (access.permission || access.roles) codes.push('permission_denied');
  return codes;
}

/** Organization keys and device keys always have an organization. */
function withoutImpossible(access: Access, codes: readonly ErrorCode[]): ErrorCode[] {
  const sessionless = !access.who.includes('session');
  return codes.filter((code) => !(sessionless && code === 'no_active_organization'));
}

function errorResponses(
  access: Access,
  codes: readonly ErrorCode[],
): Record<string, Record<string, unknown>> {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\``).join(', '),
        headers: headersOf(access, status),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.secret === 'metricsToken') return [{}, { metricsToken: [] }];
  if (access.secret !== undefined) return [{ [access.secret]: [] }];
  return access.who.flatMap((credential): Record<string, string[]>[] =>
    credential === 'orgKey' ? [{ orgKey: [] }, { orgKeyBearer: [] }] : [{ [credential]: [] }],
  );
}

/** Whether the whole body is a string, which is sent as plain text. */
function isPlainText(media: unknown): boolean {
  if (media === undefined) return false;
  const { schema } = recordParser.parse(media);
  return schema !== undefined && recordParser.parse(schema).type === 'string';
}

/** The one media type of a part: JSON, or text where the whole of it is a text; CSV beside it. */
function oneContent(part: Record<string, unknown>): Record<string, unknown> {
  if (part.content === undefined) return part;
  const content = recordParser.parse(part.content);
  // The one other type that routes have; they name it themselves.
  const csv = content['text/csv'];
  const media = content['application/json'] ?? content['text/plain'];
  const type = isPlainText(media) ? 'text/plain' : 'application/json';
  return { ...part, content: { [type]: media, ...(csv !== undefined && { 'text/csv': csv }) } };
}

/**
 * The body of a route refuses fields that its schema does not name, unless the schema says otherwise;
 * a route that reads its body by itself takes them.
 */
function closed(access: Access, body: Record<string, unknown>): Record<string, unknown> {
  if (access.invalid !== undefined) return body;
  const media = recordParser.parse(recordParser.parse(body.content)['application/json']);
  const schema = recordParser.parse(media.schema);
  if (schema.type !== 'object' || 'additionalProperties' in schema) return body;
  const named = { ...schema, additionalProperties: false };
  return { ...body, content: { 'application/json': { ...media, schema: named } } };
}

/** The generator leaves parts of the schema beside the content; only what belongs here is kept. */
function responseObject(
  access: Access,
  status: number,
  response: Record<string, unknown>,
): Record<string, unknown> {
  const { description = 'Done.', content } = oneContent(response);
  return {
    description,
    headers: headersOf(access, status),
    ...(content !== undefined && { content }),
  };
}

function enrich(method: string, access: Access, operation: Operation): Operation {
  const { parameters = [], requestBody, responses = {}, ...rest } = operation;
  const codes = withoutImpossible(access, [
    ...impliedErrors(method, access),
    ...(access.errors ?? []),
  ]);
  const security = securityOf(access);
  const own = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      responseObject(access, Number(status), response),
    ]),
  );
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: closed(access, oneContent(requestBody)) }),
    ...(security.length > 0 && { security }),
    responses: { ...errorResponses(access, codes), ...own },
  };
}

/** The OpenAPI 3.1 document of the routes of `app`, with every status that each can answer. */
export async function openApiDocument(app: AnyElysia): Promise<Record<string, unknown>> {
  const generator = new Elysia()
    .use(
      swagger({
        path: '/docs.raw',
        specPath: RAW_PATH,
      }),
    )
    .use(app);
  const answer = await generator.handle(new Request(`http://localhost${RAW_PATH}`));
  const generated = documentParser.parse(await answer.json());
  const table = accessTable(app);
  const paths = Object.entries(generated.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const access = must(table[route], 'the document is generated from the registered routes');
      return [method, documented(enrich(method, access, operation))];
    });
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
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: { Error: ErrorEnvelope },
    },
  };
}
