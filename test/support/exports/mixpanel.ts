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

// The raw event export (docs.mixpanel.com, "Download Data"): a JSON object a line, `event` and
// `properties`, with `time` in seconds, the names of "Default Properties" and of the clients.

type Identity = 'original' | 'simplified';

function rowOf(
  person: Person,
  event: string,
  at: Date,
  identity: Identity,
  known: boolean,
  properties: Record<string, unknown>,
) {
  const anonymous = identity === 'simplified' ? `$device:${person.anonymous}` : person.anonymous;
  return {
    event,
    properties: {
      time: Math.floor(at.getTime() / 1000),
      distinct_id: known ? person.user : anonymous,
      $device_id: person.anonymous,
      ...(known ? { $user_id: person.user } : {}),
      $insert_id: uuid(`${person.anonymous}/${event}/${at.getTime()}`).slice(0, 16),
      $city: 'Malmo',
      $mp_api_endpoint: 'api.mixpanel.com',
      mp_country_code: 'SE',
      mp_processing_time_ms: at.getTime() + 700,
      ...properties,
    },
  };
}

const OWN_NAMES = [
  '',
  'Onboarding Started',
  'Onboarding Completed',
  'Paywall Viewed',
  'Purchase Completed',
];

function storyOf(
  person: Person,
  context: Record<string, unknown>,
  identity: Identity,
  names: { opened: string; screen: string; screenProperties: Record<string, unknown> },
) {
  const rows = STEPS.slice(0, person.steps).map((_, step) =>
    rowOf(
      person,
      step === 0 ? names.opened : (OWN_NAMES[step] ?? ''),
      momentOf(person, step),
      identity,
      isKnownAt(person, step),
      { ...context, ...(step === 0 ? {} : { plan: 'yearly' }) },
    ),
  );
  rows.push(
    rowOf(person, names.screen, momentOf(person, 0, true), identity, false, {
      ...context,
      ...names.screenProperties,
    }),
  );
  if (identity === 'original' && isKnownAt(person, person.steps - 1)) {
    rows.push(
      rowOf(person, '$identify', momentOf(person, 3), identity, true, {
        ...context,
        $identified_id: person.user,
        $anon_id: person.anonymous,
        $anon_distinct_id: person.anonymous,
      }),
    );
  }
  return rows;
}

function phoneOf(person: Person, library?: string): Record<string, unknown> {
  if (person.platform === 'android') {
    return {
      mp_lib: library ?? 'android',
      $lib_version: '8.2.0',
      $os: 'Android',
      $os_version: '16',
      $app_version: person.version,
      $app_version_string: person.version,
      $app_build_number: '412',
      $app_release: '412',
      $manufacturer: 'Google',
      $wifi: true,
    };
  }
  return {
    mp_lib: library ?? 'swift',
    $lib_version: '5.1.0',
    $os: person.index % 4 === 2 ? 'iPadOS' : 'iOS',
    $os_version: '26.1',
    $app_version_string: person.version,
    $app_build_number: '412',
    $manufacturer: 'Apple',
    $screen_height: 844,
    $wifi: true,
  };
}

function browserOf(person: Person): Record<string, unknown> {
  return {
    mp_lib: 'web',
    $lib_version: '2.70.0',
    $os: ['Mac OS X', 'Windows', 'iOS', 'Android', 'Linux'][person.index % 5],
    $browser: 'Chrome',
    $browser_version: 141,
    $current_url: `https://focus.example.com/${SCREEN}`,
    $screen_height: 900,
    $screen_width: 1440,
  };
}

const automatic = {
  opened: '$ae_first_open',
  screen: 'Screen Viewed',
  screenProperties: { screen: SCREEN },
};
const page = {
  opened: 'App Opened',
  screen: '$mp_web_page_view',
  screenProperties: {
    current_page_title: 'Focus',
    current_domain: 'focus.example.com',
    current_url_path: `/${SCREEN}`,
    current_url_protocol: 'https:',
  },
};

/** Three files: phones with automatic events; a web app; React Native and Flutter with names of the team. */
export function mixpanelExports(): Export[] {
  const onPhones = peopleOf('mixpanel-phones', 84, (index) => ({
    platform: index % 2 === 0 ? 'ios' : 'android',
    version: index % 7 === 0 ? '4.9.1' : '5.0.0',
  }));
  const inBrowsers = peopleOf('mixpanel-web', 60, () => ({ platform: 'web', version: null }));
  const across = peopleOf('mixpanel-across', 72, (index) => ({
    platform: index % 3 === 0 ? 'android' : 'ios',
    version: '1.2.0',
  }));
  const own = {
    opened: 'Session Begin',
    screen: 'Screen Viewed',
    screenProperties: { screen: SCREEN },
  };
  return [
    {
      name: 'phones.jsonl',
      content: linesOf(
        onPhones.flatMap((person) => storyOf(person, phoneOf(person), 'simplified', automatic)),
      ),
      truth: truthOf(onPhones),
    },
    {
      name: 'web.jsonl.gz',
      content: packed(
        linesOf(
          inBrowsers.flatMap((person) => storyOf(person, browserOf(person), 'simplified', page)),
        ),
      ),
      truth: truthOf(inBrowsers),
    },
    {
      name: 'across.jsonl',
      content: linesOf(
        across.flatMap((person) =>
          storyOf(
            person,
            phoneOf(person, person.index % 2 ? 'flutter' : 'react-native'),
            'original',
            own,
          ),
        ),
      ),
      truth: truthOf(across),
      rename: { 'Session Begin': 'app_opened' },
    },
  ];
}
