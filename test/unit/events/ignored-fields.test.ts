import { expect, test } from 'bun:test';
import { countIgnoredFields } from '../../../src/modules/events/ignored-ids.ts';
import { validateBatch } from '../../../src/modules/events/validate.ts';

const event = {
  id: 'event-0001',
  name: 'app_opened',
  ts: '2026-03-10T12:00:00Z',
  anonymousId: 'anon-0001',
  userId: 'user',
  sessionId: 'session',
  props: { platform: 'any name is a property' },
};
const context = {
  platform: 'ios',
  appVersion: '1',
  osVersion: '2',
  locale: 'de',
  country: 'DE',
};
const count = (body: unknown) => countIgnoredFields(validateBatch(body));

test('counts no field that a batch may have', () => {
  expect(count({ events: [event], context })).toEqual({ batch: 0, event: 0, context: 0 });
  expect(count({ events: [event] })).toEqual({ batch: 0, event: 0, context: 0 });
});

test('counts each other field once, by its place', () => {
  const { props, ts, ...named } = event;
  const mistaken = { ...named, properties: props, timestamp: ts, platform: 'ios' };
  const body = {
    events: [mistaken, event, mistaken],
    context: { ...context, version: '1' },
    sentAt: ts,
    batch: [],
  };
  expect(count(body)).toEqual({ batch: 2, event: 6, context: 1 });
});
