import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { followAlerts } from '../../../src/modules/messages/alerts.ts';
import type { OpenAlert } from '../../../src/modules/messages/alerts-queries.ts';
import {
  fitting,
  isQuiet,
  LINES_A_MINUTE,
  makeBundle,
} from '../../../src/modules/messages/bundle.ts';
import { postBody } from '../../../src/modules/messages/formats.ts';
import { MESSAGE_KINDS, type Message } from '../../../src/modules/messages/model.ts';
import { afterAttempt, mayRepeat, type Outcome } from '../../../src/modules/messages/posts.ts';

let made = 0;
const message = (kind: Message['kind'], text = `${kind} happened`): Message => {
  made += 1;
  const at = '2026-11-22T07:00:00.000Z';
  return { id: `evt_${made}`, kind, appId: 'app_1', appName: 'Focus', text, at };
};
const times = (count: number, kind: Message['kind']) =>
  Array.from({ length: count }, () => message(kind));

describe('a bundle of messages', () => {
  test('has a line for each, alerts first', () => {
    const bundle = makeBundle([message('refund', 'Refund: pro'), message('alert', 'Silence.')], 0);
    expect(bundle.lines).toEqual(['! Focus: Silence.', 'Focus: Refund: pro']);
  });

  test('counts what is more than twenty in a minute, and keeps every alert', () => {
    const many = [...times(30, 'subscriber'), message('refund'), message('alert', 'Silence.')];
    expect(makeBundle(many, 0)).toEqual({
      lines: ['! Focus: Silence.', 'Focus: 30 new subscribers, 1 refund'],
      messages: many,
    });
    expect(makeBundle(times(20, 'subscriber'), 0).lines).toHaveLength(20);
    expect(makeBundle(times(2, 'subscriber'), 19).lines).toEqual(['Focus: 2 new subscribers']);
    const other = { ...message('subscriber'), appName: 'Other' };
    expect(makeBundle([...times(1, 'refund'), other], 20).lines).toEqual([
      '1 new subscriber, 1 refund',
    ]);
  });

  test('never has more lines than the minute, but one that counts and those of alerts and watches', () => {
    const messages = fc
      .array(fc.constantFrom(...MESSAGE_KINDS), { maxLength: 60 })
      .map((kinds) => kinds.map((kind) => message(kind)));
    fc.assert(
      fc.property(messages, fc.nat(40), (some, before) => {
        const { lines, messages: carried } = makeBundle(some, before);
        const kept = some.filter(({ kind }) => kind === 'alert' || kind === 'watch').length;
        expect(carried).toEqual(some);
        if (some.length > 0) expect(lines.length).toBeGreaterThan(0);
        expect(lines.length - kept).toBeLessThanOrEqual(Math.max(1, LINES_A_MINUTE - before));
        if (lines.length === some.length) return;
        // What has no line of its own is counted.
        const counted = [...(lines.at(-1) ?? '').matchAll(/(\d+) (new|refund|billing)/g)];
        const sum = counted.reduce((all, [, count]) => all + Number(count), 0);
        expect(sum).toBe(some.length - kept);
      }),
    );
  });

  test('stays under the 64 KB of a post', () => {
    const long = Array.from({ length: 250 }, () => ({
      ...message('subscriber', 'é'.repeat(300)),
      appName: '🎉'.repeat(40),
    }));
    const messages = fitting(long);
    const { lines } = makeBundle(messages, 0);
    const body = postBody('json', {
      id: 'x',
      type: 'messages',
      text: lines.join('\n'),
      at: '2026-11-22T07:00:00.000Z',
      data: { messages },
      offLink: '',
    });
    expect(Buffer.byteLength(body)).toBeLessThan(64 * 1_024);
    expect(messages.length).toBeGreaterThan(20);
    expect(fitting(times(20, 'refund'))).toHaveLength(20);
  });
});

describe('quiet hours', () => {
  const at = (iso: string) => new Date(iso);
  test('go over midnight, by the clock of their zone', () => {
    const night = { timezone: 'Europe/Berlin', fromHour: 22, toHour: 7 };
    expect(isQuiet(night, at('2026-07-01T20:00:00Z'))).toBe(true);
    expect(isQuiet(night, at('2026-07-01T19:59:59Z'))).toBe(false);
    expect(isQuiet(night, at('2026-07-02T04:59:59Z'))).toBe(true);
    expect(isQuiet(night, at('2026-07-02T05:00:00Z'))).toBe(false);
    expect(isQuiet(night, at('2026-12-01T05:30:00Z'))).toBe(true);
  });

  test('within a day, and of no hour', () => {
    const noon = { timezone: 'UTC', fromHour: 12, toHour: 13 };
    expect(isQuiet(noon, at('2026-07-01T12:59:00Z'))).toBe(true);
    expect(isQuiet(noon, at('2026-07-01T13:00:00Z'))).toBe(false);
    expect(isQuiet({ ...noon, toHour: 12 }, at('2026-07-01T12:30:00Z'))).toBe(false);
  });
});

describe('alerts', () => {
  const HOUR = 3_600_000;

  test('are told when they begin, and not again until they have been away for a day', () => {
    const found = fc.array(fc.boolean(), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(found, (looks) => {
        let open: OpenAlert[] = [];
        const told: number[] = [];
        looks.forEach((isThere, hour) => {
          const now = new Date(hour * HOUR);
          const { begun, absent, present, ended } = followAlerts(
            open,
            new Set(isThere ? ['x'] : []),
            now,
          );
          open = open
            .filter(({ code }) => !ended.includes(code))
            .map((one) => (absent.includes(one.code) ? { ...one, absentSince: now } : one))
            .map((one) => (present.includes(one.code) ? { ...one, absentSince: null } : one));
          for (const code of begun) open.push({ code, beganAt: now, absentSince: null });
          if (begun.length > 0) told.push(hour);
        });
        // Told anew after 25 looks in a row without it: from the first of them a day has passed.
        const expected = looks.flatMap((isThere, hour) => {
          if (!isThere) return [];
          const before = looks.slice(0, hour);
          const last = before.lastIndexOf(true);
          return last < 0 || hour - last > 25 ? [hour] : [];
        });
        expect(told).toEqual(expected);
      }),
    );
  });
});

describe('a post', () => {
  const unknown: Outcome = { kind: 'unknown', reason: 'no answer' };

  test('whose end nobody knows is made again where the receiver knows a repetition', () => {
    for (const kind of ['mail', 'json'] as const) {
      expect(afterAttempt(kind, 100, unknown)).toMatchObject({ state: 'pending', repeats: 101 });
      expect(mayRepeat(kind, 100)).toBe(true);
    }
  });

  test('in a chat is made once more, and then never again', () => {
    for (const kind of ['slack', 'discord'] as const) {
      expect(afterAttempt(kind, 0, unknown)).toMatchObject({ state: 'pending', repeats: 1 });
      expect(afterAttempt(kind, 1, unknown)).toMatchObject({ state: 'failed', repeats: 2 });
      expect([0, 1, 2].map((repeats) => mayRepeat(kind, repeats))).toEqual([true, true, false]);
    }
  });

  test('that was surely refused is made again everywhere', () => {
    const retry: Outcome = { kind: 'retry', reason: '500', retryAfterSeconds: null };
    expect(afterAttempt('slack', 1, retry)).toEqual({ state: 'pending', error: '500', repeats: 1 });
  });
});
