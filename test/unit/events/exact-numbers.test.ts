import { describe, expect, test } from 'bun:test';
import { normalizeBatch } from '../../../src/event-store/event/normalize.ts';
import type { ImportedEvent } from '../../../src/modules/events/imports/event.ts';
import { readRecord, toImported } from '../../../src/modules/events/imports/formats.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { segment } from '../../../src/modules/events/imports/segment.ts';
import { parseExact } from '../../../src/shared/exact-json.ts';
import { RECEIVED_AT, record } from '../../support/events.ts';

const [USER, ORDER, DEVICE] = ['157963456373623802', '9007199254740993', '18446744073709551617'];
const NAMES = 'opened';
const time = '2026-03-10T12:00:00Z';
const props = `{"order":${ORDER},"list":[${ORDER}],"__proto__":${ORDER},"held":900719925474099200}`;
const message = (text: string) => parseExact(text) as Record<string, unknown>;
const line = (format: Parameters<typeof toImported>[0], text: string) =>
  toImported(format, readRecord(text))[0];
const parameter = (key: string, value: string) =>
  `{"key":"${key}","value":{"int_value":"${value}"}}`;

const DOORS: Record<string, () => unknown> = {
  segment: () =>
    segment(
      message(
        `{"type":"track","event":"opened","userId":${USER},"anonymousId":${DEVICE},"timestamp":"${time}","properties":${props}}`,
      ),
    ),
  posthog: () =>
    posthogReader(RECEIVED_AT)(
      message(
        `{"event":"opened","distinct_id":${USER},"timestamp":"${time}","properties":${props.replace('{', `{"$device_id":${DEVICE},`)}}`,
      ),
    ),
  amplitude: () =>
    amplitudeReader()(
      message(
        `{"event_type":"opened","user_id":${USER},"device_id":${DEVICE},"time":${RECEIVED_AT},"event_properties":${props}}`,
      ),
    ),
  'import of posthog': () =>
    line(
      'posthog',
      `{"event":"opened","uuid":"event-0001","distinct_id":${USER},"timestamp":"${time}","properties":${JSON.stringify(props.replace('{', `{"$device_id":${DEVICE},`))}}`,
    ),
  'import of mixpanel': () =>
    line(
      'mixpanel',
      `{"event":"opened","properties":${props.replace('{', `{"$device_id":${DEVICE},"$user_id":${USER},`)}}`,
    ),
  'import of amplitude': () =>
    line(
      'amplitude',
      `{"event_type":"opened","user_id":${USER},"device_id":${DEVICE},"event_time":"${time}","event_properties":${props}}`,
    ),
  'import of firebase': () =>
    line(
      'firebase',
      `{"event_name":"opened","user_id":${USER},"user_pseudo_id":${DEVICE},"event_timestamp":"${RECEIVED_AT}000","event_params":[${parameter('order', ORDER)},${parameter('__proto__', ORDER)},${parameter('held', '900719925474099200')}]}`,
    ),
};

describe.each(Object.entries(DOORS))('%s', (_, read) => {
  test('keeps every digit of integers', () => {
    const { event } = read() as ImportedEvent;
    expect(event).toMatchObject({ name: NAMES, userId: USER, anonymousId: DEVICE });
    const kept = JSON.stringify(event.props);
    expect(kept).toContain(`"order":"${ORDER}"`);
    expect(kept).toContain(`"__proto__":"${ORDER}"`);
    expect(kept).toContain('"held":900719925474099200');
    if (kept.includes('list')) expect(kept).toContain(JSON.stringify(`["${ORDER}"]`));
  });
});

test('the own format stores their digits, and tells two such events apart', () => {
  const body = (order: string) =>
    `{"events":[{"name":"opened","anonymousId":"device-0001","ts":"${time}","props":{"order":${order}}}]}`;
  const rows = [ORDER, '9007199254740994', '9007199254740995'].flatMap((order) => {
    const sent = { ...record({ events: [] }), body: Buffer.from(body(order)) };
    return normalizeBatch(sent);
  });
  expect(rows.map(({ props: stored }) => stored)).toEqual([
    `{"order":"${ORDER}"}`,
    '{"order":9007199254740994}',
    '{"order":"9007199254740995"}',
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
});
