import { expect, test } from 'bun:test';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { RECEIVED_AT } from '../../support/events.ts';

const read = posthogReader(RECEIVED_AT);
const alias = {
  event: '$create_alias',
  uuid: '0198a1b2-0000-7000-8000-000000000001',
  timestamp: '2026-03-10T12:00:00.000Z',
  distinct_id: 'user-1',
  properties: { alias: 'device-0001', $os_name: 'iOS', $app_version: '1.4.0' },
};

test('an alias joins a device to its person', () => {
  expect(read(alias)).toEqual({
    event: {
      id: alias.uuid,
      name: 'identify',
      ts: alias.timestamp,
      anonymousId: 'device-0001',
      userId: 'user-1',
      sessionId: undefined,
      props: {},
    },
    context: { platform: 'ios', appVersion: '1.4.0' },
    sentName: '$create_alias',
    isOpen: false,
  });
});

test('a client that forbids to look at its address forbids it for an alias too', () => {
  const properties = { ...alias.properties, $geoip_disable: true };
  expect(read({ ...alias, properties })).toMatchObject({ ignoresAddress: true });
});

test('an alias without an alias is not a person’s act', () => {
  expect(read({ ...alias, properties: {} })).toBe('internal');
});

const ANON = '0198a1b2-0000-7000-8000-00000000000a';
const DEVICE = '0198a1b2-0000-7000-8000-00000000000d';

const idsOf = (message: object) => {
  const { event } = read({ ...alias, ...message }) as { event: Record<string, unknown> };
  return { anonymousId: event.anonymousId, userId: event.userId };
};

test('after a reset the anonymous id is the device until somebody signs in', () => {
  const sent = (distinct_id: string, event: string, properties: object) =>
    idsOf({ event, distinct_id, properties: { $device_id: DEVICE, ...properties } });
  const anonymous = { anonymousId: ANON, userId: undefined };
  expect(sent(ANON, 'opened', { $is_identified: false })).toEqual(anonymous);
  expect(sent(ANON, 'opened', { $process_person_profile: false })).toEqual(anonymous);
  const joined = { anonymousId: ANON, userId: 'user-1' };
  expect(sent('user-1', '$identify', { $anon_distinct_id: ANON })).toEqual(joined);
  const user = { anonymousId: DEVICE, userId: 'user-1' };
  expect(sent('user-1', 'opened', { $is_identified: true })).toEqual(user);
  expect(sent('user-1', 'opened', {})).toEqual(user);
});

test('an identify is settled by what is known only where its device may be a user', () => {
  const isOpen = ($anon_distinct_id: string, event = '$identify') => {
    const found = read({ ...alias, event, properties: { $anon_distinct_id } });
    return typeof found === 'string' ? null : found.isOpen;
  };
  expect([ANON, 'anon-abc123', '$device:abc'].map((id) => isOpen(id))).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(['alice-0001', 'alice@example.com'].map((id) => isOpen(id))).toEqual([false, false]);
  expect(isOpen('alice-0001', 'opened')).toBeUndefined();
});

test.each([
  ['anon-abc123', 'user-42', {}],
  ['user-42', 'anon-abc123', {}],
  [ANON, 'user-4200000', {}],
  ['user-4200000', ANON, {}],
  ['visitor00', 'user-4200000', { $is_identified: false }],
  ['user-4200000', 'visitor00', { $is_identified: true }],
])('an alias of %s and %s is joined by what each is', (distinct_id, other, properties) => {
  const [device, user] = distinct_id.startsWith('user')
    ? [other, distinct_id]
    : [distinct_id, other];
  const ids = idsOf({ distinct_id, properties: { ...properties, alias: other } });
  expect(ids).toEqual({ anonymousId: device, userId: user });
});

test.each([
  [ANON, ANON, {}],
  [ANON, ANON, { $is_identified: true }],
  [ANON, 'undefined', { $is_identified: false }],
  ['null', ANON, { $is_identified: true }],
])('an alias of %s and %s makes no user of a device', (distinct_id, other, properties) => {
  const ids = idsOf({ distinct_id, properties: { ...properties, alias: other } });
  expect(ids).toEqual({ anonymousId: ANON, userId: undefined });
});

test('a value that is no id hides no other id of the device or of its user', () => {
  const anon = { $anon_distinct_id: 'undefined', $device_id: ANON };
  const joined = { anonymousId: ANON, userId: 'user-4200000' };
  const identify = { event: '$identify', distinct_id: 'user-4200000', properties: anon };
  expect(idsOf(identify)).toEqual(joined);
  const properties = { ...anon, distinct_id: 'user-4200000' };
  expect(idsOf({ ...identify, distinct_id: 'null', properties })).toEqual(joined);
  const opened = { event: 'opened', distinct_id: 'undefined' };
  const alone = { anonymousId: ANON, userId: undefined };
  for (const $is_identified of [false, undefined]) {
    const { userId, anonymousId } = idsOf({ ...opened, properties: { ...anon, $is_identified } });
    expect({ userId: userId === 'undefined' ? undefined : userId, anonymousId }).toEqual(alone);
  }
});
