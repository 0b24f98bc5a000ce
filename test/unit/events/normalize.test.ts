import { describe, expect, test } from 'bun:test';
import { normalizeBatch } from '../../../src/event-store/event/normalize.ts';
import { event, RECEIVED_AT, record, row } from '../../support/events.ts';

describe('the rows of a batch', () => {
  test('hold everything that was sent, and what is derived from it', () => {
    const ts = '2026-03-10T11:59:59.123Z';
    const sent = event({
      id: 'event-0001',
      ts,
      userId: 'ann',
      sessionId: 's1',
      props: { b: 1, a: [] as never },
    });
    const context = {
      platform: 'ios',
      appVersion: '1',
      osVersion: '2',
      locale: 'de',
      country: 'DE',
    };
    expect(() => normalizeBatch(record({ events: [sent], context }))).toThrow('stored batch');
    const [made] = normalizeBatch(
      record({ events: [{ ...sent, props: { b: 1, a: null } }], context }),
    );
    expect(made).toEqual(
      row({
        ...context,
        key: made?.key ?? '',
        occurredAtUs: Date.parse(ts) * 1_000,
        personId: 'ann',
        userId: 'ann',
        sessionId: 's1',
        clientTs: ts,
        props: '{"b":1,"a":null}',
        eventId: 'event-0001',
      }),
    );
    expect(made?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('have countries in upper case, and an identity of what was sent', () => {
    const sent = { ...event(), ts: '2026-03-10T11:59:59.123Z' };
    const rowOf = (country: string) =>
      normalizeBatch(record({ events: [sent], context: { country } }))[0];
    expect(['DE', 'de', 'dE', 'é1'].map((country) => rowOf(country)?.country)).toEqual([
      'DE',
      'DE',
      'DE',
      'é1',
    ]);
    expect(rowOf('de')?.key).not.toBe(rowOf('DE')?.key);
  });

  test('are of the environment of the key', () => {
    const environments = [{}, { environment: 'development' as const }].map(
      (header) => normalizeBatch(record({ events: [event()] }, header))[0]?.environment,
    );
    expect(environments).toEqual(['production', 'development']);
  });

  test('of the least that can be sent occur at receipt and are nobody’s but the device’s', () => {
    const rows = normalizeBatch(record({ events: [event(), event()] }));
    expect(rows).toEqual([
      row({ timeFlag: 'no_ts' }),
      row({ timeFlag: 'no_ts', batchIndex: 1, occurredAtUs: RECEIVED_AT * 1_000 }),
    ]);
  });

  test('take an empty user, session or version for none', () => {
    const [made] = normalizeBatch(
      record({ events: [event({ userId: '', sessionId: '' })], context: { appVersion: '' } }),
    );
    expect(made).toMatchObject({ userId: null, sessionId: null, appVersion: null });
    expect(made?.personId).toBe('anon-0001');
  });

  test('know a person again whose id holds half a surrogate pair', () => {
    const [made] = normalizeBatch(record({ events: [event({ anonymousId: 'device-\ud800' })] }));
    expect(made?.anonymousId).toBe('device-\ufffd');
  });

  test('are the same whenever they are made', () => {
    const one = record({ events: [event({ ts: '2026-03-10T11:00:00Z' }), event()] });
    expect(normalizeBatch(one)).toEqual(normalizeBatch(one));
  });

  test('may be reserved events of the service itself', () => {
    const [made] = normalizeBatch(record({ events: [event({ name: '$exposure' })] }));
    expect(made?.name).toBe('$exposure');
  });

  test('of a body that is no batch do not exist', () => {
    expect(() => normalizeBatch({ ...record({ events: [] }), body: Buffer.from('{') })).toThrow();
    expect(() => normalizeBatch({ ...record({ events: [] }), body: Buffer.from('{}') })).toThrow();
  });
});
