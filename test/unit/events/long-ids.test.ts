import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toImported } from '../../../src/modules/events/imports/formats.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { segment } from '../../../src/modules/events/imports/segment.ts';
import { validateBatch } from '../../../src/modules/events/validate.ts';
import { RECEIVED_AT } from '../../support/events.ts';

type Ids = { id: string; session: string };
const device = 'device-0001';
const time = '2026-03-10T12:00:00Z';

/** The same event in every form that an event comes in. */
const DOORS: Record<string, (ids: Ids) => unknown> = {
  segment: ({ id: messageId, session: sessionId }) =>
    segment({
      type: 'track',
      ...{ event: 'opened', messageId, timestamp: time, anonymousId: device },
      context: { sessionId },
    }),
  posthog: ({ id: uuid, session: $session_id }) =>
    posthogReader(RECEIVED_AT)({
      ...{ event: 'opened', uuid, timestamp: time, distinct_id: device },
      properties: { $session_id },
    }),
  amplitude: ({ id: insert_id, session: session_id }) =>
    amplitudeReader()({
      ...{ event_type: 'opened', insert_id, session_id, device_id: device, time: RECEIVED_AT },
    }),
  'import of posthog': ({ id: uuid, session: $session_id }) =>
    toImported('posthog', {
      ...{ event: 'opened', uuid, timestamp: time, distinct_id: device },
      properties: { $session_id },
    })[0],
  'import of mixpanel': ({ id: $insert_id, session: $session_id }) =>
    toImported('mixpanel', {
      event: 'opened',
      properties: { $insert_id, $session_id, $device_id: device, time: RECEIVED_AT / 1_000 },
    })[0],
  'import of amplitude': ({ id: $insert_id, session: session_id }) =>
    toImported('amplitude', {
      ...{ event_type: 'opened', $insert_id, session_id, device_id: device, event_time: time },
    })[0],
};

describe.each(Object.entries(DOORS))('%s', (door, read) => {
  const stored = (ids: Ids) => {
    const { event, context } = read(ids) as { event: object; context: object };
    return validateBatch({ events: [event], context }).events[0];
  };

  test('keeps long ids apart that differ at their end, and short ones as they are', () => {
    const shared = fc.string({ minLength: 128, maxLength: 200, unit: 'grapheme-ascii' });
    const end = fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' });
    fc.assert(
      fc.property(shared, end, (id, tail) => {
        const [one, other] = [id, id + tail].map((text) => stored({ id: text, session: text }));
        expect(one?.id).not.toBe(other?.id);
        expect(one?.sessionId).not.toBe(other?.sessionId);
        expect(stored({ id, session: id })).toEqual(one as NonNullable<typeof one>);
      }),
    );
    const longest = { id: 'i'.repeat(64), session: 's'.repeat(128) };
    // Of Mixpanel an id is one only with the rest of its event.
    const id = door === 'import of mixpanel' ? expect.any(String) : longest.id;
    expect(stored(longest)).toMatchObject({ id, sessionId: longest.session });
  });
});
