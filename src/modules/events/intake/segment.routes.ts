import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { toFields } from '../imports/event.ts';
import { SEGMENT_TYPES } from '../imports/segment.ts';
import { SEGMENT, segmentKey, takenBy } from './protocols.ts';
import { segmentReader, withSharedContext } from './segment.ts';
import { takeMessages, tell } from './take.ts';

const Batch = Type.Object({ batch: Type.Array(Type.Unknown()) }, { additionalProperties: true });
const Message = Type.Record(Type.String(), Type.Unknown());

const OPTIONS = takenBy(SEGMENT);

/** Clients of phones and browsers send `t`, `b` and so on. */
const PATHS = SEGMENT_TYPES.flatMap((type) => [
  [`/${type}`, type] as const,
  [`/${type.charAt(0)}`, type] as const,
]);

async function take(
  ctx: Parameters<typeof takeMessages>[0],
  set: { status?: number | string },
  messages: unknown[],
) {
  const { first, list } = tell(set, await takeMessages(ctx, messages, segmentReader()));
  if (first === undefined) return { success: true, ...list };
  return { success: false, code: 'invalid_batch', message: first, ...list };
}

function singleRoutes() {
  const routes = new Elysia().use(access);
  for (const [path, type] of PATHS) {
    routes.post(path, ({ ctx, body, set }) => take(ctx, set, [{ ...toFields(body), type }]), {
      ...OPTIONS,
      body: Message,
    });
  }
  return routes;
}

function batchRoutes() {
  const routes = new Elysia().use(access);
  for (const path of ['/batch', '/b', '/import']) {
    routes.post(path, ({ ctx, body, set }) => take(ctx, set, withSharedContext(body)), {
      ...OPTIONS,
      body: Batch,
    });
  }
  return routes;
}

const FOR_PAGES = { protocol: { forPages: true } } as const;
const Key = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) });

/** Clients in Kotlin drop every event until it names this. */
const settingsRoutes = () =>
  new Elysia()
    .use(access)
    .get(
      '/projects/:key/settings',
      ({ params }) => ({ integrations: { 'Segment.io': { apiKey: params.key } } }),
      { open: FOR_PAGES, params: Key },
    );

const OFF = { enabled: false };
const Source = Type.Object(
  { writeKey: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: true },
);

/** RudderStack's clients send nothing before. */
const sourceRoutes = () =>
  new Elysia({ prefix: '/v1/segment' }).use(access).get(
    '/sourceConfig',
    ({ query, request }) => {
      const writeKey = query.writeKey ?? segmentKey.inHeaders(request.headers) ?? '';
      const config = { statsCollection: { errors: OFF, metrics: OFF } };
      const source = { id: writeKey, name: 'app', writeKey, enabled: true, config };
      return { source: { ...source, destinations: [], connections: [] } };
    },
    { open: FOR_PAGES, query: Source },
  );

export const segmentIntakeRoutes = new Elysia()
  .use(
    new Elysia({ prefix: '/v1/segment/v1' })
      .use(batchRoutes())
      .use(singleRoutes())
      .use(settingsRoutes()),
  )
  .use(sourceRoutes());
