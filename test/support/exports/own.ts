import {
  type Export,
  isKnownAt,
  linesOf,
  momentOf,
  type Person,
  packed,
  peopleOf,
  SCREEN,
  STEPS,
  truthOf,
} from './people.ts';

// The service's own form, as docs/events-http.md has it: batches with a context, or an event a
// line that carries its context itself.

function eventsOf(person: Person) {
  const events = STEPS.slice(0, person.steps).map((name, step) => ({
    name,
    ts: momentOf(person, step).toISOString(),
    anonymousId: person.anonymous,
    ...(isKnownAt(person, step) ? { userId: person.user } : {}),
    sessionId: `session-${person.anonymous}`,
    props: step === 0 ? {} : { plan: 'yearly', price: 29.5, trial: false, coupon: null },
  }));
  return [
    ...events,
    {
      name: 'screen_viewed',
      ts: momentOf(person, 0, true).toISOString(),
      anonymousId: person.anonymous,
      props: { screen: SCREEN },
    },
  ];
}

function contextOf(person: Person) {
  return {
    platform: person.platform,
    ...(person.version === null ? {} : { appVersion: person.version }),
    osVersion: '26.1',
    locale: 'sv-SE',
    country: 'SE',
  };
}

/** An event a line; batches a line; events with a context of their own, packed. */
export function ownExports(): Export[] {
  const flat = peopleOf('own-flat', 84, (index) => ({
    platform: (['ios', 'android', 'web', 'macos'] as const)[index % 4] ?? 'other',
    version: index % 4 === 2 ? null : `1.${index % 3}.0`,
  }));
  const batches = peopleOf('own-batches', 60, (index) => ({
    platform: index % 2 === 0 ? 'ios' : 'other',
    version: '6.0.0',
  }));
  const nested = peopleOf('own-nested', 72, () => ({ platform: 'android', version: '6.1.0' }));
  return [
    {
      name: 'flat.jsonl',
      content: linesOf(
        flat.flatMap((person) =>
          eventsOf(person).map((event) => ({ ...event, ...contextOf(person) })),
        ),
      ),
      truth: truthOf(flat),
    },
    {
      name: 'batches.jsonl',
      content: linesOf(
        batches.map((person) => ({ events: eventsOf(person), context: contextOf(person) })),
      ),
      truth: truthOf(batches),
    },
    {
      name: 'nested.jsonl.gz',
      content: packed(
        linesOf(
          nested.flatMap((person) =>
            eventsOf(person).map((event) => ({ ...event, context: contextOf(person) })),
          ),
        ),
      ),
      truth: truthOf(nested),
    },
  ];
}
