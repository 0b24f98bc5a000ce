import { zipOf } from '../zip.ts';
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
  uuid,
} from './people.ts';

// The Export API (amplitude.com/docs/apis/analytics/export): a ZIP of gzipped files, an event a
// line; times in UTC without a zone; `[Amplitude] …` are the events and properties of its clients.

function rowOf(
  person: Person,
  event: string,
  at: Date,
  known: boolean,
  context: Record<string, unknown>,
  properties: Record<string, unknown>,
) {
  const time = at.toISOString().replace('T', ' ').replace('Z', '000');
  return {
    $insert_id: uuid(`${person.anonymous}/${event}/${time}`),
    insert_id: uuid(`${person.anonymous}/${event}/${time}`),
    uuid: uuid(`uuid/${person.anonymous}/${event}/${time}`),
    app: 345_678,
    amplitude_id: 900_000_000_000 + person.index,
    user_id: known ? person.user : null,
    device_id: `${person.anonymous}R`,
    session_id: person.startsAt,
    event_id: person.index,
    event_type: event,
    event_time: time,
    client_event_time: time,
    client_upload_time: time,
    server_received_time: time,
    server_upload_time: time,
    processed_time: time,
    event_properties: properties,
    user_properties: { initial_referrer: 'EMPTY' },
    group_properties: {},
    groups: {},
    data: { path: '/2/httpapi' },
    country: 'Sweden',
    language: 'Swedish',
    region: 'Skane',
    ip_address: '203.0.113.9',
    paying: null,
    ...context,
  };
}

const OWN_NAMES = [
  '',
  'Onboarding Started',
  'Onboarding Completed',
  'Paywall Viewed',
  'Purchase Completed',
];

type Names = { opened: string; screen: string; screenProperties: Record<string, unknown> };

function storyOf(person: Person, context: Record<string, unknown>, names: Names) {
  const rows = STEPS.slice(0, person.steps).map((_, step) =>
    rowOf(
      person,
      step === 0 ? names.opened : (OWN_NAMES[step] ?? ''),
      momentOf(person, step),
      isKnownAt(person, step),
      context,
      step === 0 ? { '[Amplitude] From Background': false } : { plan: 'yearly', nested: { a: 1 } },
    ),
  );
  rows.push(
    rowOf(person, names.screen, momentOf(person, 0, true), false, context, names.screenProperties),
  );
  return rows;
}

function phoneOf(person: Person): Record<string, unknown> {
  return person.platform === 'android'
    ? {
        platform: 'Android',
        os_name: 'android',
        os_version: '16',
        version_name: person.version,
        library: 'amplitude-analytics-android/1.22.0',
        device_family: 'Google Pixel',
      }
    : {
        platform: 'iOS',
        os_name: person.index % 4 === 2 ? 'ipados' : 'ios',
        os_version: '26.1',
        version_name: person.version,
        library: 'amplitude-swift/1.15.0',
        device_family: 'Apple iPhone',
      };
}

function browserOf(person: Person): Record<string, unknown> {
  return {
    platform: 'Web',
    os_name: ['Chrome', 'Safari', 'Mobile Safari'][person.index % 3],
    os_version: '141',
    version_name: null,
    library: 'amplitude-ts/2.25.0',
    device_family: 'Mac OS X',
  };
}

const automatic: Names = {
  opened: '[Amplitude] Application Opened',
  screen: '[Amplitude] Screen Viewed',
  screenProperties: { '[Amplitude] Screen Name': SCREEN },
};
const page: Names = {
  opened: 'App Opened',
  screen: '[Amplitude] Page Viewed',
  screenProperties: {
    '[Amplitude] Page Domain': 'focus.example.com',
    '[Amplitude] Page Path': `/${SCREEN}`,
    '[Amplitude] Page Title': 'Focus',
    '[Amplitude] Page URL': `https://focus.example.com/${SCREEN}`,
  },
};

/** A ZIP of an hour a file; a web app's gzipped file; an older app whose sessions stand for its openings. */
export function amplitudeExports(): Export[] {
  const onPhones = peopleOf('amplitude-phones', 96, (index) => ({
    platform: index % 2 === 0 ? 'ios' : 'android',
    version: index % 8 === 0 ? '7.0.0' : '7.1.0',
  }));
  const inBrowsers = peopleOf('amplitude-web', 60, () => ({ platform: 'web', version: null }));
  const older = peopleOf('amplitude-older', 72, (index) => ({
    platform: index % 3 === 0 ? 'android' : 'ios',
    version: '0.9.0',
  }));
  const rows = onPhones.flatMap((person) => storyOf(person, phoneOf(person), automatic));
  const half = Math.floor(rows.length / 2);
  return [
    {
      name: 'phones.zip',
      content: zipOf([
        {
          name: '345678/345678_2026-10-03_8#0.json.gz',
          content: packed(linesOf(rows.slice(0, half))),
        },
        {
          name: '345678/345678_2026-10-03_9#0.json.gz',
          content: packed(linesOf(rows.slice(half))),
        },
      ]),
      truth: truthOf(onPhones),
    },
    {
      name: 'web.json.gz',
      content: packed(
        linesOf(inBrowsers.flatMap((person) => storyOf(person, browserOf(person), page))),
      ),
      truth: truthOf(inBrowsers),
    },
    {
      name: 'older.json',
      content: linesOf(
        older.flatMap((person) =>
          storyOf(person, phoneOf(person), {
            opened: 'session_start',
            screen: 'Screen Viewed',
            screenProperties: { screen: SCREEN },
          }),
        ),
      ),
      truth: truthOf(older),
      rename: { session_start: 'app_opened' },
    },
  ];
}
