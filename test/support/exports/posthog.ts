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

// A batch export to S3 (posthog.com/docs/cdp/batch-exports/s3) in its JSON lines form: `timestamp`
// and `created_at` as ISO 8601, `properties` nested. The properties are those of posthog-ios,
// posthog-android, posthog-react-native and posthog-js.

type Row = {
  uuid: string;
  event: string;
  distinct_id: string;
  person_id: string;
  properties: Record<string, unknown>;
  person_properties: Record<string, unknown>;
  elements_chain: string;
  timestamp: string;
  created_at: string;
  _inserted_at: string;
};

function rowOf(
  person: Person,
  event: string,
  at: Date,
  known: boolean,
  properties: Record<string, unknown>,
): Row {
  const iso = at.toISOString().replace('Z', '000+00:00');
  const distinctId = known && person.user !== null ? person.user : person.anonymous;
  return {
    uuid: uuid(`${person.anonymous}/${event}/${iso}`),
    event,
    distinct_id: distinctId,
    person_id: uuid(`person/${person.anonymous}`),
    properties: {
      distinct_id: distinctId,
      $session_id: uuid(`session/${person.anonymous}`),
      $is_identified: known,
      $geoip_country_code: 'SE',
      $ip: '203.0.113.9',
      ...properties,
    },
    person_properties: { $creator_event_uuid: uuid(`creator/${person.anonymous}`) },
    elements_chain: '',
    timestamp: iso,
    created_at: iso,
    _inserted_at: iso,
  };
}

/** What the app itself captured, in the words of a team that writes names like this. */
const OWN_NAMES = [
  '',
  'Onboarding Started',
  'onboarding completed',
  'paywall_viewed',
  'purchaseCompleted',
];

function storyOf(
  person: Person,
  context: Record<string, unknown>,
  opened: string,
  screen: { event: string; properties: Record<string, unknown> },
): Row[] {
  const rows: Row[] = [];
  STEPS.slice(0, person.steps).forEach((_, step) => {
    const known = isKnownAt(person, step);
    if (known && !isKnownAt(person, step - 1)) {
      rows.push(
        rowOf(person, '$identify', momentOf(person, step), true, {
          ...context,
          $anon_distinct_id: person.anonymous,
          $user_id: person.user,
        }),
      );
    }
    rows.push(
      rowOf(person, step === 0 ? opened : (OWN_NAMES[step] ?? ''), momentOf(person, step), known, {
        ...context,
        ...(step === 0 ? { from_background: false, version: person.version } : { plan: 'yearly' }),
      }),
    );
  });
  rows.push(
    rowOf(person, screen.event, momentOf(person, 0, true), false, {
      ...context,
      ...screen.properties,
    }),
  );
  return rows;
}

function phoneOf(person: Person): Record<string, unknown> {
  const shared = {
    $app_version: person.version,
    $app_build: 412,
    $app_name: 'Focus Timer',
    $app_namespace: 'com.example.focus',
    $locale: 'sv',
    $timezone: 'Europe/Stockholm',
    $network_wifi: true,
  };
  const isReactNative = person.index % 5 === 0;
  if (person.platform === 'android') {
    return {
      ...shared,
      $lib: isReactNative ? 'posthog-react-native' : 'posthog-android',
      $os_name: 'Android',
      $os_version: '16',
      $device_type: 'Mobile',
      $device_manufacturer: 'Google',
    };
  }
  return {
    ...shared,
    $lib: isReactNative ? 'posthog-react-native' : 'posthog-ios',
    $os_name: person.index % 4 === 2 ? 'iPadOS' : 'iOS',
    $os_version: '26.1',
    $device_type: person.index % 4 === 2 ? 'Tablet' : 'Mobile',
    $device_manufacturer: 'Apple',
  };
}

function browserOf(person: Person): Record<string, unknown> {
  return {
    $lib: 'web',
    $lib_version: '1.297.0',
    $os: ['Mac OS X', 'Windows', 'iOS', 'Android', 'Linux'][person.index % 5],
    $os_version: '17.5',
    $browser: 'Mobile Safari',
    $browser_version: 17.5,
    $device_type: 'Mobile',
    $current_url: `https://focus.example.com/${SCREEN}?utm=1`,
    $host: 'focus.example.com',
    $pathname: `/${SCREEN}`,
    $device_id: person.anonymous,
  };
}

const phoneScreen = { event: '$screen', properties: { $screen_name: SCREEN } };
const page = { event: '$pageview', properties: { title: 'Focus' } };
const PHONES = ['ios', 'android'] as const;

/** Three files as somebody would bring them: phones; a web app; both, with the properties as text. */
export function posthogExports(): Export[] {
  const onPhones = peopleOf('posthog-phones', 90, (index) => ({
    platform: PHONES[index % 2] ?? 'ios',
    version: index % 9 === 0 ? '2.0.0' : '2.1.0',
  }));
  const inBrowsers = peopleOf('posthog-web', 60, () => ({ platform: 'web', version: null }));
  const both = peopleOf('posthog-both', 72, (index) =>
    index % 3 === 0
      ? { platform: 'web', version: null }
      : { platform: index % 3 === 1 ? 'ios' : 'macos', version: '3.4.0' },
  );
  const phones = (people: readonly Person[]) =>
    people.flatMap((person) => storyOf(person, phoneOf(person), 'Application Opened', phoneScreen));
  const browsers = (people: readonly Person[]) =>
    people.flatMap((person) => storyOf(person, browserOf(person), 'app_opened', page));
  const mixed = both.flatMap((person) => {
    if (person.platform === 'web') return browsers([person]);
    const context = phoneOf(person);
    const mac = { ...context, $lib: 'posthog-ios', $os_name: 'macOS', $device_type: 'Desktop' };
    return storyOf(
      person,
      person.platform === 'macos' ? mac : context,
      'Application Opened',
      phoneScreen,
    );
  });
  return [
    { name: 'phones.jsonl', content: linesOf(phones(onPhones)), truth: truthOf(onPhones) },
    {
      name: 'web.jsonl.gz',
      content: packed(linesOf(browsers(inBrowsers))),
      truth: truthOf(inBrowsers),
    },
    {
      name: 'both.jsonl',
      content: linesOf(
        mixed.map((row) => ({
          ...row,
          properties: JSON.stringify(row.properties),
          person_properties: JSON.stringify(row.person_properties),
        })),
      ),
      truth: truthOf(both),
    },
  ];
}
