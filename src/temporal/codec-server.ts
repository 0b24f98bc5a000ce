import { Type } from '@sinclair/typebox';
import type { PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { isSameSecret } from '../shared/same-secret.ts';
import { parser } from '../shared/schema.ts';

/** Protobuf JSON mapping: bytes in base64. */
const WirePayload = Type.Object({
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  data: Type.Optional(Type.String()),
});
const Batch = parser(
  Type.Object({ payloads: Type.Array(WirePayload, { maxItems: 1_000 }) }),
  'codec request',
);

const { Payload } = temporal.api.common.v1;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Foreign pages could read payloads through an operator's browser. */
function corsHeaders(request: Request, uiOrigins: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null || !uiOrigins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'content-type, x-namespace, authorization',
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  };
}

/** Encoding would allow starting and answering runs. */
function asksToDecode(request: Request, token: string): boolean {
  const [, secret = '', verb, ...rest] = new URL(request.url).pathname.split('/');
  return isSameSecret(secret, token) && verb === 'decode' && rest.length === 0;
}

async function answer(request: Request, codec: PayloadCodec, token: string): Promise<Response> {
  if (request.method !== 'POST' || !asksToDecode(request, token)) {
    return new Response('Not found', { status: 404 });
  }
  const { payloads } = Batch.parse(await request.json());
  const done = await codec.decode(payloads.map(Payload.fromObject));
  return Response.json({
    payloads: done.map((payload) => Payload.toObject(Payload.create(payload), { bytes: String })),
  });
}

export type CodecServer = { address: string; stop: () => Promise<void> };

/**
 * On loopback, for the UI's pages and callers with the token (first path segment: the UI sends no
 * headers).
 */
export function startCodecServer(
  codec: PayloadCodec,
  options: { port: number; token: string; uiOrigins: readonly string[] },
): CodecServer {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: options.port,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: async (request) => {
      const cors = corsHeaders(request, options.uiOrigins);
      const foreign =
        request.headers.has('origin') && cors['access-control-allow-origin'] === undefined;
      if (foreign) return new Response('Forbidden', { status: 403 });
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors });
      const response = await answer(request, codec, options.token).catch(
        () => new Response('The payloads cannot be decoded.', { status: 400 }),
      );
      for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
      return response;
    },
  });
  return { address: server.url.origin, stop: () => server.stop(true) };
}
