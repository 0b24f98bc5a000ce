import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { isRecord } from '../../../shared/record.ts';
import { toFields, toText } from '../imports/event.ts';
import { memoized } from '../imports/memoized.ts';
import { SEGMENT_TYPES, segment } from '../imports/segment.ts';
import { takeMessages } from './take.ts';

const Batch = Type.Object({ batch: Type.Array(Type.Unknown()) }, { additionalProperties: true });
const Message = Type.Record(Type.String(), Type.Unknown());

const userOf = memoized((authorization): string | undefined => {
  const [, credentials] = /^Basic\s+(\S+)$/i.exec(authorization) ?? [];
  return credentials && Buffer.from(credentials, 'base64').toString().split(':')[0];
});

/** Basic user name of servers, field of browsers and apps. */
export const segmentKey = {
  inHeaders: (headers: Headers) => userOf(headers.get('authorization') ?? ''),
  inBody: (sent: unknown) => (isRecord(sent) ? toText(sent.writeKey) : undefined),
};

const OPTIONS = {
  forDevice: {
    limit: 'events',
    invalid: 'invalid_batch',
    countsRejections: true,
    keyOf: segmentKey,
  },
} as const;

/** Clients of phones and browsers send `t`, `b` and so on. */
const PATHS = SEGMENT_TYPES.flatMap((type) => [
  [`/${type}`, type] as const,
  [`/${type.charAt(0)}`, type] as const,
]);

const DONE = { success: true };

function singleRoutes() {
  const routes = new Elysia().use(access);
  for (const [path, type] of PATHS) {
    routes.post(
      path,
      async ({ ctx, body }) => {
        const messages = [{ ...toFields(body), type }];
        await takeMessages(ctx, messages, segment);
        return DONE;
      },
      { ...OPTIONS, body: Message },
    );
  }
  return routes;
}

function batchRoutes() {
  const routes = new Elysia().use(access);
  for (const path of ['/batch', '/b', '/import']) {
    routes.post(
      path,
      async ({ ctx, body }) => {
        await takeMessages(ctx, body.batch, segment);
        return DONE;
      },
      { ...OPTIONS, body: Batch },
    );
  }
  return routes;
}

const Key = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) });

/** Asked by clients in Kotlin, which drop every event until it names this, and in Swift. */
const settingsRoutes = () =>
  new Elysia()
    .use(access)
    .get(
      '/projects/:key/settings',
      ({ params }) => ({ integrations: { 'Segment.io': { apiKey: params.key } } }),
      { open: { forPages: true }, params: Key },
    );

export const segmentIntakeRoutes = new Elysia({ prefix: '/v1/segment/v1' })
  .use(batchRoutes())
  .use(singleRoutes())
  .use(settingsRoutes());
