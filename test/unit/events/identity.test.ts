import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { eventIdentities, formerKey } from '../../../src/event-store/event/identity.ts';
import type { StoredBatch, StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { event, row } from '../../support/events.ts';

const TS = '2026-03-10T11:00:00.000Z';
const of = (events: StoredEvent[], context?: StoredBatch['context'], app = 'app_1') =>
  eventIdentities(app, { events, ...(context && { context }) });

describe("an event's identity", () => {
  test('is its id where it has one, of its device, whatever else is sent', () => {
    const [first] = of([event({ id: 'event-0001', ts: TS })]);
    expect(of([event({ id: 'event-0001', name: 'other' })])).toEqual([first ?? null]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    const [elsewhere] = of([event({ id: 'event-0001', ts: TS, anonymousId: 'anon-0002' })]);
    expect(elsewhere).not.toBe(first ?? null);
  });

  // Stored for days and compared with those of later releases.
  test('never changes from release to release', () => {
    const keys = of([event({ id: 'event-0001' }), event({ ts: TS }), event({ ts: TS })]);
    expect(keys).toEqual([
      'fe50d4eab1227b3b61c427b3ab701e13',
      '7fbe4f2c6019ed14d16db667d87f9fdc',
      'e2d59923112ecb3870539f9f036472b7',
    ]);
  });

  test('was of the id alone before the device was joined to it', () => {
    const keyed = (fields: Parameters<typeof row>[0]) => ({ ...row(fields), key: 'f'.repeat(32) });
    expect(formerKey(keyed({ eventId: 'event-0001' }))).toBe('d331137ee691950cbe58a23fcfa2c5e5');
    expect(formerKey(keyed({}))).toBe('f'.repeat(32));
  });

  test('is none without id and time', () => {
    expect(of([event(), event()])).toEqual([null, null]);
  });

  test('is the same for another app never', () => {
    const events = [event({ id: 'event-0001' }), event({ ts: TS })];
    const other = of(events, undefined, 'app_2');
    expect(of(events).filter((key) => other.includes(key))).toEqual([]);
  });

  test('keeps all of several equal events in one batch, and knows them all again', () => {
    const keys = of([event({ ts: TS }), event({ ts: TS }), event({ ts: TS })]);
    expect(new Set(keys).size).toBe(3);
    expect(of([event({ ts: TS }), event({ ts: TS }), event({ ts: TS })])).toEqual(keys);
    expect(of([event({ ts: TS })])).toEqual(keys.slice(0, 1));
  });

  test('does not depend on the neighbours in the batch or on the order of properties', () => {
    const one = event({ ts: TS, props: { a: 1, b: 'x' } });
    const [, alone] = of([event({ ts: TS }), one]);
    expect(of([event({ ts: TS, props: { b: 'x', a: 1 } })])).toEqual([alone ?? null]);
  });

  test('differs when any field that is sent differs', () => {
    const base = event({ ts: TS, userId: 'u', sessionId: 's', props: { a: 1 } });
    const variants: [StoredEvent, StoredBatch['context']?][] = [
      [base],
      [{ ...base, name: 'other' }],
      [{ ...base, ts: '2026-03-10T11:00:00Z' }],
      [{ ...base, anonymousId: 'anon-0002' }],
      [{ ...base, userId: 'v' }],
      [{ ...base, sessionId: 't' }],
      [{ ...base, props: { a: '1' } }],
      [{ ...base, props: { a: null } }],
      [{ ...base, props: {} }],
      [event({ ts: TS, userId: 'u', sessionId: 's' })],
      [base, { platform: 'ios' }],
      [base, { appVersion: 'ios' }],
      [base, { country: 'DE' }],
    ];
    const keys = variants.map(([one, context]) => of([one], context)[0]);
    expect(new Set(keys).size).toBe(variants.length);
  });

  test('is never shared by different events', () => {
    const arbitrary = fc.record({
      name: fc.constantFrom('a', 'b'),
      ts: fc.constantFrom(TS, '2026-03-10T11:00:01Z'),
      anonymousId: fc.constantFrom('anon-0001', 'anon-0002'),
      sessionId: fc.constantFrom('', '#1', 'x'),
      props: fc.dictionary(fc.constantFrom('p', 'q', '#1'), fc.oneof(fc.string(), fc.integer())),
    });
    fc.assert(
      fc.property(arbitrary, arbitrary, (a, b) => {
        const same = Bun.deepEquals(a, b);
        expect(of([a])[0] === of([b])[0]).toBe(same);
      }),
    );
  });
});
