import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Fields, ImportedEvent } from '../../../src/modules/events/imports/event.ts';
import { PendingEvents } from '../../../src/modules/events/imports/pending.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { segment } from '../../../src/modules/events/imports/segment.ts';
import { validateBatch, validateMade } from '../../../src/modules/events/validate.ts';
import { RECEIVED_AT } from '../../support/events.ts';

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 1_200 }),
  fc.constantFrom('\u0000', '\uD800', 'x'.repeat(600), '2026-03-10T12:00:00Z'),
);
const props = fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('a\nb')), value);
const name = fc.oneof(fc.constantFrom('Paywall Viewed', '$screen', '$identify', ''), fc.string());
const edges = fc
  .tuple(
    fc.constantFrom('a', '\u0000', '\uD800', '\u{1F600}'),
    fc.constantFrom(4, 7, 8, 33, 64, 65, 129),
  )
  .map(([unit, count]) => unit.repeat(count));
const id = fc.option(
  fc.oneof(fc.string({ maxLength: 140 }), fc.string({ unit: 'binary', maxLength: 140 }), edges),
  { nil: undefined },
);

const FORMATS: Record<string, [(message: Fields) => unknown, fc.Arbitrary<Fields>]> = {
  segment: [
    segment,
    fc.record({
      type: fc.constantFrom('track', 'identify', 'screen', 'page', 'alias', 'group'),
      event: name,
      ...{ messageId: id, userId: id, anonymousId: id, timestamp: value, properties: props },
      context: fc.record({ app: fc.record({ version: value }), os: fc.record({ name: value }) }),
    }),
  ],
  posthog: [
    posthogReader(RECEIVED_AT),
    fc.record({ event: name, distinct_id: id, uuid: id, timestamp: value, properties: props }),
  ],
  amplitude: [
    amplitudeReader(),
    fc.record({
      event_type: name,
      ...{ user_id: id, device_id: id, insert_id: id, time: value, event_properties: props },
      ...{ platform: value, os_version: value, country: value },
    }),
  ],
};

/** Null for what is refused. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const isMade = (found: unknown): found is ImportedEvent => typeof found === 'object';

describe('an event that a reader made and that is taken', () => {
  for (const [format, [read, messages]] of Object.entries(FORMATS)) {
    test(`fits the whole schema of events: ${format}`, () => {
      let taken = 0;
      fc.assert(
        fc.property(messages, (message) => {
          const checked = attempt(() => {
            const found = read(message);
            if (!isMade(found)) return null;
            const { event, context: sentContext } = found;
            return validateMade({ event, sentContext, context: undefined });
          });
          if (checked === null) return;
          taken += 1;
          const written = JSON.parse(JSON.stringify(checked));
          validateBatch({ events: [written.event], context: written.context });
        }),
        { numRuns: 2_000 },
      );
      expect(taken).toBeGreaterThan(100);
    });
  }
});

test('events wait by context, whatever order they come in', () => {
  const contexts = fc.record(
    {
      platform: fc.constantFrom('ios' as const, 'web' as const),
      appVersion: fc.constantFrom('1', '2'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(contexts, { minLength: 1, maxLength: 40 }), (sent) => {
      const pending = new PendingEvents();
      sent.forEach((context, index) => {
        const known = pending.lastLike(context);
        if (known) expect(known).toEqual(context);
        pending.add({ name: `event_${index}`, anonymousId: 'somebody' }, known ?? context);
      });
      const byContext = Map.groupBy(sent.keys(), (index) => JSON.stringify(sent[index]));
      const batches = pending.take().map(({ text }) => JSON.parse(text));
      expect(batches.map(({ events }) => events.map((event: Fields) => event.name))).toEqual(
        [...byContext.values()].map((indexes) => indexes.map((index) => `event_${index}`)),
      );
    }),
  );
});

test('batches hold at most 100 events and 60,000 characters, or one long event', () => {
  const lengths = fc.array(fc.constantFrom(1, 300, 700, 20_000, 70_000), {
    minLength: 1,
    maxLength: 250,
  });
  fc.assert(
    fc.property(lengths, (sent) => {
      const pending = new PendingEvents();
      sent.forEach((length, index) => {
        const props = { text: 'x'.repeat(length) };
        pending.add({ name: `event_${index}`, anonymousId: 'somebody', props }, {});
      });
      expect(pending.count).toBe(sent.length);
      const batches = pending.take();
      const names = batches.flatMap(({ text, count }) => {
        const { events } = JSON.parse(text);
        expect(events.length).toBe(count);
        expect(count === 1 || (count <= 100 && text.length <= 60_000)).toBe(true);
        return events.map((event: Fields) => event.name);
      });
      expect(names).toEqual(sent.map((_, index) => `event_${index}`));
      expect([pending.count, pending.take()]).toEqual([0, []]);
    }),
    { numRuns: 60 },
  );
});
