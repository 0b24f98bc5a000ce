import type { WholePerson } from './whole-person.ts';

type Send = {
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  apiKey: string;
};
type App = { appId: string; serviceKey: string };

const basic = (key: string) => ({ authorization: `Basic ${btoa(`${key}:`)}` });

/** What a client of each kind sends of a person; `again` says it anew. */
export async function sendByEveryDoor(
  { post, apiKey }: Send,
  { appId, serviceKey }: App,
  { marker, userId, devices }: WholePerson,
  again = '',
): Promise<number[]> {
  const [anonymousId = ''] = devices;
  const timestamp = new Date().toISOString();
  const id = `${again}${marker}`;
  const properties = { marker };
  const sender = userId === null ? { anonymousId } : { userId, anonymousId };
  const attributes = Object.entries({ appId, 'user.id': userId ?? '', 'device.id': anonymousId });
  const record = {
    timeUnixNano: `${Date.now()}000000`,
    body: { stringValue: 'said' },
    attributes: attributes.map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  const answers = [
    await post(
      '/v1/events',
      { events: [{ name: 'own_opened', ...sender, props: properties }] },
      { 'x-service-key': serviceKey },
    ),
    await post(
      '/v1/segment/v1/batch',
      {
        batch: [
          {
            type: 'track',
            event: 'seg_opened',
            messageId: `s${id}`,
            ...sender,
            timestamp,
            properties,
          },
        ],
      },
      basic(serviceKey),
    ),
    await post('/v1/posthog/batch', {
      api_key: serviceKey,
      batch: [
        {
          ...{ event: 'hog_opened', uuid: `p${id}`, timestamp, distinct_id: userId ?? anonymousId },
          properties: { ...properties, $device_id: anonymousId },
        },
      ],
    }),
    await post('/v1/amplitude/2/httpapi', {
      api_key: serviceKey,
      events: [
        {
          ...{ event_type: 'amp_opened', insert_id: `a${id}`, time: Date.now() },
          ...{ ...(userId !== null && { user_id: userId }), device_id: anonymousId },
          event_properties: properties,
        },
      ],
    }),
    await post(
      '/v1/events',
      { events: [{ name: 'Not A Name', ...sender, props: properties }] },
      { 'x-service-key': serviceKey },
    ),
    await post(
      '/v1/otlp/v1/logs',
      { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] },
      { 'x-api-key': apiKey },
    ),
  ];
  return answers.map(({ status }) => status);
}

/** A line for each in the own format of imports. */
export const importLines = (people: readonly WholePerson[]): string =>
  people
    .map(({ marker, userId, devices }) =>
      JSON.stringify({
        ...{ id: `i${marker}`, name: 'imp_opened', ts: new Date().toISOString() },
        ...{ anonymousId: devices[0], ...(userId !== null && { userId }), props: { marker } },
      }),
    )
    .join('\n');
