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

// A day's table of the BigQuery export (support.google.com/firebase/answer/7029846), extracted as
// newline-delimited JSON: integers are text, columns that are null are left out, an event has no id.

type Param = { key: string; value: Record<string, string | number> };

const text = (key: string, value: string): Param => ({ key, value: { string_value: value } });
const int = (key: string, value: number): Param => ({ key, value: { int_value: String(value) } });
const double = (key: string, value: number): Param => ({ key, value: { double_value: value } });

function rowOf(
  person: Person,
  name: string,
  at: Date,
  place: number,
  known: boolean,
  params: Param[],
) {
  const isWeb = person.platform === 'web';
  const isApple = person.platform === 'ios';
  return {
    event_date: at.toISOString().slice(0, 10).replaceAll('-', ''),
    event_timestamp: String(at.getTime() * 1000 + 123),
    event_name: name,
    event_params: [
      int('ga_session_id', Math.floor(person.startsAt / 1000)),
      int('ga_session_number', 1),
      text('firebase_event_origin', 'app'),
      int('engaged_session_event', 1),
      ...params,
    ],
    event_bundle_sequence_id: String(place + 1),
    event_server_timestamp_offset: '812345',
    ...(known && person.user !== null ? { user_id: person.user } : {}),
    user_pseudo_id: person.anonymous.replaceAll('-', ''),
    user_properties: [
      {
        key: 'first_open_time',
        value: { int_value: String(person.startsAt), set_timestamp_micros: '1' },
      },
    ],
    user_first_touch_timestamp: String(person.startsAt * 1000),
    device: {
      category: 'mobile',
      operating_system: isApple ? 'IOS' : isWeb ? 'Macintosh' : 'ANDROID',
      operating_system_version: isApple ? 'iOS 26.1' : 'Android 16',
      language: 'sv-se',
      time_zone_offset_seconds: '7200',
      ...(isWeb ? { web_info: { browser: 'Chrome', hostname: 'focus.example.com' } } : {}),
    },
    geo: { city: 'Malmo', country: 'Sweden', continent: 'Europe' },
    ...(isWeb
      ? {}
      : {
          app_info: {
            id: 'com.example.focus',
            version: person.version,
            firebase_app_id: '1:1:ios:1',
            install_source: 'iTunes',
          },
        }),
    traffic_source: { name: '(direct)', medium: '(none)', source: '(direct)' },
    stream_id: '1440534155',
    platform: { ios: 'IOS', android: 'ANDROID', web: 'WEB', macos: 'IOS', other: '' }[
      person.platform
    ],
    items: [],
    is_active_user: true,
  };
}

function storyOf(person: Person) {
  const isWeb = person.platform === 'web';
  const rows = STEPS.slice(0, person.steps).map((step, place) =>
    rowOf(
      person,
      step === 'app_opened' ? 'session_start' : step,
      momentOf(person, place),
      place,
      isKnownAt(person, place),
      step === 'purchase_completed'
        ? [text('plan', 'yearly'), double('price', 29.5), int('days', 7)]
        : [],
    ),
  );
  rows.push(
    rowOf(person, isWeb ? 'first_visit' : 'first_open', momentOf(person, 0), 20, false, []),
    rowOf(
      person,
      isWeb ? 'page_view' : 'screen_view',
      momentOf(person, 0, true),
      21,
      false,
      isWeb
        ? [
            text('page_location', `https://focus.example.com/${SCREEN}?x=1`),
            text('page_title', 'Focus'),
          ]
        : [text('firebase_screen', SCREEN), text('firebase_screen_class', 'HomeViewController')],
    ),
  );
  return rows;
}

/** Phones of both kinds; Android alone, packed; an app and its site in one property. */
export function firebaseExports(): Export[] {
  const onPhones = peopleOf('firebase-phones', 96, (index) => ({
    platform: index % 2 === 0 ? 'ios' : 'android',
    version: index % 6 === 0 ? '1.0.0' : '1.1.0',
  }));
  const onAndroid = peopleOf('firebase-android', 60, () => ({
    platform: 'android',
    version: '9.0',
  }));
  const both = peopleOf('firebase-both', 72, (index) =>
    index % 2 === 0 ? { platform: 'web', version: null } : { platform: 'ios', version: '3.0.0' },
  );
  return [
    { name: 'phones.json', content: linesOf(onPhones.flatMap(storyOf)), truth: truthOf(onPhones) },
    {
      name: 'android.json.gz',
      content: packed(linesOf(onAndroid.flatMap(storyOf))),
      truth: truthOf(onAndroid),
    },
    { name: 'both.json', content: linesOf(both.flatMap(storyOf)), truth: truthOf(both) },
  ];
}
