import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { LOG_GRACE_MS } from '../routes.ts';
import { ingestOtlp } from './ingest.ts';
import { OtlpLogs } from './model.ts';
import { encodeAnswer, PROTOBUF, parseProtobuf } from './proto.ts';

const isProtobuf = (contentType: string | null): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === PROTOBUF;

export const otlpLogRoutes = new Elysia({ prefix: '/v1/otlp' }).use(access).post(
  '/v1/logs',
  async ({ ctx, body, request }) => {
    const partialSuccess = await ingestOtlp(ctx, body);
    if (isProtobuf(request.headers.get('content-type'))) {
      const headers = { 'content-type': PROTOBUF };
      return new Response(encodeAnswer(partialSuccess), { headers });
    }
    return partialSuccess ? { partialSuccess } : {};
  },
  {
    forOrganization: {
      limit: 'logs',
      graceMs: LOG_GRACE_MS,
      protocol: { binary: { contentType: PROTOBUF, parse: parseProtobuf } },
    },
    body: OtlpLogs,
  },
);
