import { SECOND_MS } from '../../../shared/time.ts';
import {
  contextOf,
  eventOf,
  type Fields,
  type ImportedEvent,
  INTERNAL,
  idsOf,
  pathOf,
  recordOf,
  textOf,
} from './event.ts';

/** App openings tracked by the clients automatically. */
const OPENINGS = new Set(['$ae_first_open', '$app_open']);

function screenOf(name: string, props: Fields) {
  if (name !== '$mp_web_page_view') return undefined;
  return { name: textOf(props.current_url_path) ?? pathOf(props.$current_url) };
}

/** Raw export: `{"event", "properties": {"time" (seconds), "distinct_id", "$insert_id"}}`. */
export function mixpanel(line: Fields): ImportedEvent[] {
  const name = textOf(line.event);
  if (name === undefined || INTERNAL.has(name)) return [];
  const props = recordOf(line.properties);
  const time = typeof props.time === 'number' ? props.time : Number.NaN;
  const ms = time > 1e11 ? time : time * SECOND_MS;
  const distinct = textOf(props.distinct_id)?.replace(/^\$device:/, '');
  const isBrowser = props.mp_lib === 'web' || textOf(props.$browser) !== undefined;
  const event = eventOf({
    name: OPENINGS.has(name) ? 'app_opened' : name,
    id: textOf(props.$insert_id),
    ts: Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined,
    session: props.$session_id,
    props,
    screen: screenOf(name, props),
    ids: idsOf(textOf(props.$user_id) ?? distinct, textOf(props.$device_id)),
  });
  const context = contextOf({
    platform: isBrowser ? 'web' : props.$os,
    appVersion: props.$app_version_string ?? props.$app_version,
    osVersion: props.$os_version,
    locale: undefined,
    country: props.mp_country_code,
  });
  return [{ event, context, sentName: name }];
}
