import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import {
  type ImportFormat,
  readRecord,
  recognise,
  toImported,
} from '../../../src/modules/events/imports/formats.ts';
import { readRecords } from '../../../src/modules/events/imports/records.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';

type Line = Record<string, unknown>;

function only(format: ImportFormat, line: Line, zone?: string) {
  const [imported, ...others] = toImported(format, line, zone);
  if (!imported || others.length > 0) throw new Error('it gives one event');
  return imported;
}

async function rows(content: string | Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'moving-'));
  try {
    writeFileSync(join(folder, 'export.csv'), content);
    return await Array.fromAsync(readRecords(join(folder, 'export.csv')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const amplitude = {
  event_type: 'revenue_amount',
  event_time: '2026-11-22 10:00:00.123456',
  device_id: 'device-0001',
  $insert_id: 'ins-000001',
};
const mixpanelAt = (properties: Line) => ({
  event: 'Order Placed',
  properties: { time: 1_795_341_600, distinct_id: 'person-0001', ...properties },
});
const firebase = {
  event_name: 'purchase',
  event_timestamp: '1795341600000123',
  user_pseudo_id: 'device.0001',
};
const SEGMENT = {
  type: 'track',
  event: 'Order Completed',
  messageId: 'ajs-1',
  anonymousId: 'anonymous-0001',
  userId: 'u-1',
  timestamp: '2026-11-22T10:00:00.000Z',
  properties: { revenue: 9.99 },
  context: {
    library: { name: 'analytics-ios' },
    os: { name: 'iOS', version: '18.1' },
    location: { country: 'Germany' },
  },
};

describe('countries by name', () => {
  test.each<[ImportFormat, Line]>([
    ['amplitude', { ...amplitude, country: 'Germany' }],
    ['firebase', { ...firebase, geo: { country: 'Germany' } }],
    ['mixpanel', mixpanelAt({ mp_country_code: 'DE' })],
    ['posthog', { event: 'a', distinct_id: 'b', properties: { $geoip_country_name: 'Germany' } }],
    ['segment', SEGMENT],
  ])('%s', (format, line) => {
    expect(only(format, line).context.country).toBe('DE');
  });

  test('the intake of Amplitude', () => {
    const read = amplitudeReader();
    expect(read({ ...amplitude, country: 'South Korea' })).toMatchObject({
      context: { country: 'KR' },
    });
  });
});

describe('money that clients record under names of their own', () => {
  const sent = {
    $revenue: 9.99,
    $price: 9.99,
    $quantity: 1,
    $productId: 'pro.monthly',
    $revenueType: 'renewal',
    $currency: 'EUR',
    $receipt: 'MIIT…',
    plan: 'pro',
  };
  const kept = {
    revenue: 9.99,
    price: 9.99,
    quantity: 1,
    product_id: 'pro.monthly',
    revenue_type: 'renewal',
    currency: 'EUR',
    plan: 'pro',
  };

  test('Amplitude, import and intake', () => {
    const line = { ...amplitude, event_properties: sent };
    expect(only('amplitude', line).event.props).toEqual(kept);
    expect(amplitudeReader()({ ...line, time: 1 })).toMatchObject({ event: { props: kept } });
    const fields = { price: 4.5, quantity: 2, revenue: 9, productId: 'p', currency: 'USD' };
    const event = amplitudeReader()({ ...amplitude, ...fields });
    const { productId, ...others } = fields;
    expect(event).toMatchObject({ event: { props: { ...others, product_id: productId } } });
  });

  test('Mixpanel, amounts as numbers', () => {
    const iap = { $ae_iap_price: '4.99', $ae_iap_quantity: 2, $ae_iap_name: '2026', $os: 'iOS' };
    expect(only('mixpanel', mixpanelAt(iap)).event.props).toEqual({
      price: 4.99,
      quantity: 2,
      product_id: '2026',
    });
  });

  test('texts of more digits than a number has stay texts', () => {
    for (const text of ['9'.repeat(400), '90071992547409931', '9,99', '1e3']) {
      const { props } = only('mixpanel', mixpanelAt({ $ae_iap_price: text })).event;
      expect(props).toEqual({ price: text });
    }
    const { props } = only('mixpanel', mixpanelAt({ $ae_iap_price: '-4.99' })).event;
    expect(props).toEqual({ price: -4.99 });
  });

  test('Google, whose own columns hold it', () => {
    const ecommerce = { purchase_revenue: 29.5, transaction_id: '(not set)', tax_value: null };
    const items = [{ item_id: 'sku-1', price: 29.5 }];
    const params = [{ key: 'value', value: { double_value: 29.5 } }, { key: 'empty' }];
    const line = { ...firebase, ecommerce, items, event_params: params };
    expect(only('firebase', line).event.props).toEqual({
      purchase_revenue: 29.5,
      items: JSON.stringify(items),
      value: 29.5,
      empty: null,
    });
  });

  test('the app’s own names win', () => {
    const both = { ...amplitude, event_properties: { price: 1, $price: 2 } };
    expect(only('amplitude', both).event.props).toEqual({ price: 1 });
  });
});

describe('tables', () => {
  const read = async (format: ImportFormat, content: string) => {
    const [row = ''] = await rows(content);
    expect(recognise(readRecord(row))).toBe(format);
    return only(format, readRecord(row, format));
  };

  test('of Amplitude have their JSON read', async () => {
    const { event } = await read(
      'amplitude',
      'event_time,event_type,user_id,device_id,session_id,event_properties,uuid\n2026-11-22 10:00:00.1,Purchase,user-00001,device-0001,-1,"{""price"": 9.99}",54050f2a-0000-11ee\n',
    );
    expect(event).toMatchObject({ ts: '2026-11-22T10:00:00.1Z', props: { price: 9.99 } });
    expect(event.sessionId).toBeUndefined();
  });

  test.each([';', '\t'])('are read with %j between their cells', async (mark) => {
    const cells = [
      '2026-11-22 10:00:00.1',
      'Purchase',
      'device-0001',
      '"{""price"": 9.99, ""n"": 1}"',
    ];
    const header = ['event_time', 'event_type', 'device_id', 'event_properties'];
    const table = [header, cells].map((row) => row.join(mark)).join('\n');
    expect((await read('amplitude', table)).event.props).toEqual({ price: 9.99, n: 1 });
  });

  test('of a warehouse that writes capitals are read too', async () => {
    const { event } = await read(
      'amplitude',
      'EVENT_TIME,EVENT_TYPE,DEVICE_ID,EVENT_PROPERTIES,$INSERT_ID\n2026-11-22 10:00:00,Buy,device-0001,"{""Plan"":1}",insert-0001\n',
    );
    expect(event).toMatchObject({
      id: 'insert-0001',
      anonymousId: 'device-0001',
      props: { Plan: 1 },
    });
  });

  test('of Google have theirs', async () => {
    const params = [
      { key: 'ga_session_id', value: { int_value: '7', string_value: null } },
      { key: 'plan', value: { string_value: 'pro' } },
    ];
    const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const { event, context } = await read(
      'firebase',
      `event_name,event_timestamp,user_pseudo_id,platform,event_params,app_info,geo\nbuy,1795341600000123,device.0001,IOS,${cell(params)},${cell({ version: '1.2' })},${cell({ country: 'Turkey' })}\n`,
    );
    expect(event).toMatchObject({
      ts: '2026-11-22T10:00:00.000123Z',
      sessionId: 'device.0001.7',
      props: { plan: 'pro' },
    });
    expect(context).toMatchObject({ platform: 'ios', appVersion: '1.2', country: 'TR' });
  });

  test.each<[ImportFormat, string, string]>([
    ['amplitude', 'event_time,event_type\n2026-11-22,a\n', 'event_properties: the table needs'],
    ['firebase', 'event_name,event_timestamp\na,1\n', 'event_params: the table needs'],
    ['amplitude', 'event_type,event_properties\na,{price\n', 'event_properties: must be an object'],
    ['firebase', 'event_name,event_params\na,none\n', 'event_params: must be a list'],
    ['posthog', 'uuid,event,distinct_id\nu,a,somebody\n', 'properties: the table needs'],
    ['own', 'name,ts,anonymousId,price\na,t,device-0001,1\n', 'price: not a field of an event'],
    ['mixpanel', 'event,time\na,1\n', 'JSON lines, not CSV'],
    ['segment', 'type,anonymousId\ntrack,a\n', 'JSON lines, not CSV'],
    ['posthog', 'event,distinct_id,properties.price\na,somebody,9,99\n', 'it has more cells'],
  ])('of %s without it are refused', async (format, content, reason) => {
    const [row = ''] = await rows(content);
    expect(() => toImported(format, readRecord(row, format))).toThrow(reason);
  });
});

describe('times', () => {
  test('of Mixpanel are of the zone that is given', () => {
    const at = (time: number) => only('mixpanel', mixpanelAt({ time }), 'America/Los_Angeles');
    expect(at(Date.UTC(2026, 6, 1, 12) / 1_000).event.ts).toBe('2026-07-01T19:00:00.000Z');
    expect(at(Date.UTC(2026, 0, 1, 12)).event.ts).toBe('2026-01-01T20:00:00.000Z');
    expect(only('mixpanel', mixpanelAt({})).event.ts).toBe('2026-11-22T10:00:00.000Z');
  });

  test.each([
    ['2026-11-22 10:00:00.1', '2026-11-22T10:00:00.1Z', '2026-11-22T09:00:00.100Z'],
    ['2026-11-22T10:00', '2026-11-22T10:00:00Z', '2026-11-22T09:00:00.000Z'],
    ['2026-11-22', '2026-11-22T00:00:00Z', '2026-11-21T23:00:00.000Z'],
    ['2026-11-22 10:00:00 UTC', '2026-11-22T10:00:00Z', '2026-11-22T10:00:00Z'],
    ['2026-11-22 10:00:00+00:00', '2026-11-22T10:00:00+00:00', '2026-11-22T10:00:00+00:00'],
    ['2026-11-22 10:00:00.5 +0530', '2026-11-22T10:00:00.5+05:30', '2026-11-22T10:00:00.5+05:30'],
    ['2026-11-22T10:00:00-08', '2026-11-22T10:00:00-08:00', '2026-11-22T10:00:00-08:00'],
    ['yesterday', 'yesterday', 'yesterday'],
  ])('of PostHog: %s', (timestamp, utc, berlin) => {
    const line = { event: 'a', distinct_id: 'somebody-0001', timestamp, properties: {} };
    expect(only('posthog', line).event.ts).toBe(utc);
    expect(only('posthog', line, 'Europe/Berlin').event.ts).toBe(berlin);
    const message = { ...SEGMENT, timestamp };
    expect(only('segment', message, 'Europe/Berlin').event.ts).toBe(berlin);
  });
});

test('events of Mixpanel are one by name, time, person and $insert_id', () => {
  const first = mixpanelAt({ $insert_id: 'order-1001' });
  const idOf = (line: Line) => only('mixpanel', line).event.id;
  expect(idOf(first)).toBe(idOf(structuredClone(first)));
  const others = [
    { ...first, event: 'Order Paid' },
    mixpanelAt({ $insert_id: 'order-1001', time: 1_795_341_601 }),
    mixpanelAt({ $insert_id: 'order-1001', distinct_id: 'person-0002' }),
    mixpanelAt({ $insert_id: 'order-1002' }),
  ];
  expect(new Set([first, ...others].map(idOf)).size).toBe(5);
});

test('an identify of Mixpanel joins the device that it names', () => {
  for (const $anon_distinct_id of ['$device:device-0001', 'device-0001']) {
    const sent = mixpanelAt({ distinct_id: 'user-0001', $anon_distinct_id });
    expect(only('mixpanel', { ...sent, event: '$identify' }).event).toMatchObject({
      ...{ name: 'identify', anonymousId: 'device-0001', userId: 'user-0001' },
    });
  }
});

test('an identify of Mixpanel joins no other user', () => {
  const users = { distinct_id: 'bob@example.com', $anon_distinct_id: 'alice@example.com' };
  const { anonymousId } = only('mixpanel', { ...mixpanelAt(users), event: '$identify' }).event;
  expect(anonymousId).not.toBe('alice@example.com');
});

describe('archives of Segment’s format', () => {
  test('are recognised, also with a name beside the device', () => {
    for (const type of ['track', 'identify', 'screen', 'page', 'alias', 'group']) {
      expect(recognise({ ...SEGMENT, type, name: 'Home' })).toBe('segment');
    }
    const { messageId: _, ...dump } = { ...SEGMENT, rudderId: 'r', channel: 'web' };
    expect(recognise(dump)).toBe('segment');
  });

  test('give what the intake makes', () => {
    expect(only('segment', SEGMENT)).toMatchObject({
      event: { id: 'imported-ajs-1', name: 'order_completed', props: { revenue: 9.99 } },
      context: { platform: 'ios', osVersion: '18.1' },
      sentName: 'Order Completed',
    });
    expect(toImported('segment', { ...SEGMENT, type: 'group' })).toEqual([]);
    expect(() => toImported('segment', { ...SEGMENT, type: 'delete' })).toThrow('type: must be');
  });
});

test.each([
  ['Snowplow', { event: 'page_view', event_id: 'e', domain_userid: 'd', collector_tstamp: 't' }],
  ['Umami', { website_id: 'w', event_type: '1', event_name: 'a', created_at: 't' }],
  ['Adapty', { profile_id: 'p', event_type: 'trial_started', event_datetime: 't' }],
  ['people of Mixpanel', { $distinct_id: 'd', $properties: {} }],
])('lines of %s are of no format', (_, line) => {
  expect(recognise(readRecord(JSON.stringify(line)))).toBeNull();
  const cells = Object.entries(line).map(([name, value]) => [name, String(value)] as const);
  expect(recognise(readRecord(Object.fromEntries(cells)))).toBeNull();
});

test.each([
  ['Parquet', 'PAR1\u0015\u0004', 'is a Parquet file'],
  ['zstd', new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x24]), 'compressed by zstd'],
  ['bzip2', 'BZh91AY', 'compressed by bzip2'],
  ['brotli', brotliCompressSync('{"event":"a","distinct_id":"somebody"}\n'.repeat(50)), 'brotli?'],
  ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'is UTF-16'],
  ['an array', '[{"event":"a"}]', 'not an event a line'],
  ['JSON over several lines', '{\n  "event": "a"\n}', 'not an event a line'],
] as const)('%s is named, with what to do', async (_, content, reason) => {
  await expect(rows(content)).rejects.toThrow(reason);
});
