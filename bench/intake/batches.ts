import { benchBatch } from '../ingest/batch.ts';

type OwnEvent = {
  id: string;
  name: string;
  ts: string;
  anonymousId: string;
  sessionId: string;
  props: Record<string, unknown>;
};
type Own = { events: OwnEvent[]; context: Record<string, string> };

/** The same events as that product's client sends them. */
export type Format = {
  path: string;
  headers?: (key: string) => Record<string, string>;
  write: (own: Own, key: string) => unknown;
};

const person = ({ anonymousId }: OwnEvent) => `user-${anonymousId.slice(-6)}`;

/** As people write it: `Paywall Viewed`. */
const titled = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

const segmentMessage = (event: OwnEvent, context: Own['context']) => ({
  type: 'track',
  event: titled(event.name),
  messageId: `node-next-${event.id}`,
  timestamp: event.ts,
  sentAt: event.ts,
  userId: person(event),
  anonymousId: event.anonymousId,
  properties: event.props,
  integrations: {},
  context: {
    app: { version: context.appVersion },
    os: { name: context.platform, version: context.osVersion },
    locale: context.locale,
    sessionId: event.sessionId,
    library: { name: '@segment/analytics-node', version: '3.1.0' },
  },
  _metadata: { nodeVersion: '24.11.1', jsRuntime: 'node' },
});

const posthogMessage = (event: OwnEvent, context: Own['context']) => ({
  uuid: event.id,
  event: event.name,
  type: 'capture',
  distinct_id: person(event),
  timestamp: event.ts,
  library: 'posthog-node',
  library_version: '5.14.0',
  properties: {
    ...event.props,
    $device_id: event.anonymousId,
    $session_id: event.sessionId,
    $os_name: context.platform,
    $os_version: context.osVersion,
    $app_version: context.appVersion,
    $locale: context.locale,
    $lib: 'posthog-node',
    $lib_version: '5.14.0',
    $geoip_disable: true,
    $is_server: true,
  },
});

const amplitudeEvent = (event: OwnEvent, context: Own['context'], index: number) => ({
  event_type: titled(event.name),
  event_properties: event.props,
  insert_id: event.id,
  event_id: index,
  time: Date.parse(event.ts),
  user_id: person(event),
  device_id: event.anonymousId,
  session_id: Number(event.sessionId.slice(8)),
  platform: context.platform,
  os_version: context.osVersion,
  app_version: context.appVersion,
  language: context.locale,
  library: 'amplitude-node-ts/1.5.0',
});

export const FORMATS: Record<string, Format> = {
  segment: {
    path: '/v1/segment/v1/batch',
    headers: (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
    write: ({ events, context }) => ({
      batch: events.map((event) => segmentMessage(event, context)),
    }),
  },
  posthog: {
    path: '/v1/posthog/batch/',
    write: ({ events, context }, key) => ({
      api_key: key,
      batch: events.map((event) => posthogMessage(event, context)),
    }),
  },
  amplitude: {
    path: '/v1/amplitude/2/httpapi',
    write: ({ events, context }, key) => ({
      api_key: key,
      events: events.map((event, index) => amplitudeEvent(event, context, index)),
      options: { min_id_length: 1 },
    }),
  },
};

/** `count` batches of `size` events, of the own route. */
export function ownBatches(count: number, size: number): Own[] {
  const events: OwnEvent[] = [];
  let context: Own['context'] = {};
  for (let batch = 0; events.length < count * size; batch += 1) {
    const made: Own = JSON.parse(benchBatch(batch, Date.now()));
    context = made.context;
    events.push(...made.events.map((event) => ({ ...event, userId: person(event) })));
  }
  return Array.from({ length: count }, (_, index) => ({
    events: events.slice(index * size, (index + 1) * size),
    context,
  }));
}
