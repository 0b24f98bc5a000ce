import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { normalizeBatch } from '../../../src/event-store/event/normalize.ts';
import type { ImportedEvent } from '../../../src/modules/events/imports/event.ts';
import { PendingEvents } from '../../../src/modules/events/imports/pending.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { segment } from '../../../src/modules/events/imports/segment.ts';
import type { ReadMessage } from '../../../src/modules/events/intake/take.ts';
import { validateMade } from '../../../src/modules/events/validate.ts';
import { RECEIVED_AT, record } from '../../support/events.ts';

type Sent = { id: string | undefined; atMs: number | undefined; plan: string; price: number };
const isoOf = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString();
const who = 'device-0001';

type Door = { read: () => ReadMessage; write: (sent: Sent) => object };
const DOORS: Record<string, Door> = {
  posthog: {
    read: () => posthogReader(RECEIVED_AT),
    write: ({ id: uuid, atMs, plan, price }) => ({
      ...{ event: 'bought', uuid, timestamp: isoOf(atMs), distinct_id: who },
      properties: { plan, $price: price },
    }),
  },
  amplitude: {
    read: amplitudeReader,
    write: ({ id: insert_id, atMs: time, plan, price }) => ({
      ...{ event_type: 'bought', insert_id, time, device_id: who, price, quantity: 1 },
      event_properties: { plan },
    }),
  },
  segment: {
    read: () => segment,
    write: ({ id: messageId, atMs, plan, price }) => ({
      ...{ type: 'track', event: 'bought', messageId, timestamp: isoOf(atMs), anonymousId: who },
      properties: { plan, price },
    }),
  },
};

/** The keys of a request's events, as the store makes them. */
function keysOf({ read, write }: Door, body: readonly Sent[]): (string | null)[] {
  const pending = new PendingEvents();
  const one = read();
  for (const sent of body) {
    const message = JSON.parse(JSON.stringify(write(sent)));
    const { event, context } = one(message) as ImportedEvent;
    const made = validateMade({ event, sentContext: context, context: undefined });
    pending.add(made.event, made.context);
  }
  return pending
    .take()
    .flatMap(({ text }) => normalizeBatch(record(JSON.parse(text))).map(({ key }) => key));
}

const stored = (keys: readonly (string | null)[]): number =>
  new Set(keys.filter((key) => key !== null)).size + keys.filter((key) => key === null).length;

/** Counted by a loop: an id is one event, as are equal ones of one place in two requests. */
function expected(requests: readonly (readonly Sent[])[]): number {
  const known = new Set<string>();
  let untimed = 0;
  for (const request of requests) {
    const here = new Map<string, number>();
    for (const sent of request) {
      if (sent.id !== undefined) known.add(`id ${sent.id}`);
      else if (sent.atMs === undefined) untimed += 1;
      else {
        const content = `${sent.atMs} ${sent.plan} ${sent.price}`;
        here.set(content, (here.get(content) ?? 0) + 1);
        known.add(`${content} ${here.get(content)}`);
      }
    }
  }
  return known.size + untimed;
}

const message: fc.Arbitrary<Sent> = fc.record({
  id: fc.constantFrom(undefined, undefined, 'insert-0001', 'insert-0002'),
  atMs: fc.constantFrom(undefined, RECEIVED_AT - 1_000, RECEIVED_AT - 2_000),
  plan: fc.constantFrom('month', 'year'),
  price: fc.constantFrom(1, 2),
});

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  test('without ids counts each event without a time, and each other once', () => {
    const body = fc.array(message, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(body, body, (one, other) => {
        const requests = [one, other, one];
        const keys = requests.flatMap((request) => keysOf(door, request));
        expect(stored(keys)).toBe(expected(requests));
      }),
    );
  });
});

test('what old browsers send with its age and an id among the properties counts once', () => {
  const sent = { event: 'opened', distinct_id: who, properties: { $insert_id: 'abcdef-0001' } };
  const ids = [5, 700].map((offset) => {
    const read = posthogReader(RECEIVED_AT)({ ...sent, offset }) as ImportedEvent;
    return read.event.id;
  });
  expect(ids).toEqual(['abcdef-0001', 'abcdef-0001']);
});
