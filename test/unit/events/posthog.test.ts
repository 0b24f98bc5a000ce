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
  });
});

test('a client that forbids to look at its address forbids it for an alias too', () => {
  const properties = { ...alias.properties, $geoip_disable: true };
  expect(read({ ...alias, properties })).toMatchObject({ ignoresAddress: true });
});

test('an alias without an alias is not a person’s act', () => {
  expect(read({ ...alias, properties: {} })).toBe('internal');
});
