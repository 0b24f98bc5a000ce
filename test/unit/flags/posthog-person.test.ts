import { expect, test } from 'bun:test';
import { toEvaluation } from '../../../src/modules/flags/posthog.ts';

const keyOf = (question: Parameters<typeof toEvaluation>[0]) => {
  const { request, person } = toEvaluation(question);
  return [request.context.targetingKey, person];
};

test('a device that PostHog’s client names keeps its variants when its user signs in', () => {
  expect(keyOf({ distinct_id: 'anon-1' })).toEqual(['anon-1', 'anon-1']);
  expect(keyOf({ distinct_id: 12_345 })).toEqual(['12345', '12345']);
  expect(keyOf({ distinct_id: 'user-1', $anon_distinct_id: 'anon-1' })).toEqual([
    'anon-1',
    'user-1',
  ]);
  expect(keyOf({ distinct_id: 'user-1', $anon_distinct_id: 12_345 })).toEqual(['12345', 'user-1']);
  const device = { $device_id: 'device-1' };
  expect(keyOf({ distinct_id: 'anon-2', ...device })).toEqual(['device-1', 'anon-2']);
  const after = { distinct_id: 'user-1', $anon_distinct_id: 'anon-2' };
  expect(keyOf({ ...after, ...device })).toEqual(['device-1', 'user-1']);
  expect(keyOf({ ...after, person_properties: device })).toEqual(['device-1', 'user-1']);
  expect(keyOf({ ...after, device_id: 'device-1' })).toEqual(['device-1', 'user-1']);
  expect(keyOf({ ...after, device_id: null })).toEqual(['anon-2', 'user-1']);
});

test('a value that is no id keeps nobody’s variant', () => {
  const sent = { distinct_id: 'user-1', $device_id: 'undefined', $anon_distinct_id: null };
  expect(keyOf(sent)).toEqual(['user-1', 'user-1']);
  expect(keyOf({ distinct_id: 'null', $device_id: 'device-1' })).toEqual(['device-1', 'device-1']);
});
