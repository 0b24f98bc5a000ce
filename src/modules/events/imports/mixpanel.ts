import { SECOND_MS } from '../../../shared/time.ts';
import {
  type Fields,
  type ImportedEvent,
  INTERNAL,
  parsePath,
  toContext,
  toEvent,
  toIds,
  toRecord,
  toText,
} from './event.ts';

/** App openings tracked by the clients automatically. */
const OPENINGS = new Set(['$ae_first_open', '$app_open']);

function toScreen(name: string, props: Fields) {
  if (name !== '$mp_web_page_view') return undefined;
  return { name: toText(props.current_url_path) ?? parsePath(props.$current_url) };
}

/** Raw export; `time` in seconds. */
export function mixpanel(line: Fields): ImportedEvent[] {
  const name = toText(line.event);
  if (name === undefined || INTERNAL.has(name)) return [];
  const props = toRecord(line.properties);
  const time = typeof props.time === 'number' ? props.time : Number.NaN;
  const ms = time > 1e11 ? time : time * SECOND_MS;
  const distinct = toText(props.distinct_id)?.replace(/^\$device:/, '');
  const isBrowser = props.mp_lib === 'web' || toText(props.$browser) !== undefined;
  const event = toEvent({
    name: OPENINGS.has(name) ? 'app_opened' : name,
    id: toText(props.$insert_id),
    ts: Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined,
    session: props.$session_id,
    props,
    screen: toScreen(name, props),
    ids: toIds(toText(props.$user_id) ?? distinct, toText(props.$device_id)),
  });
  const context = toContext({
    platform: isBrowser ? 'web' : props.$os,
    appVersion: props.$app_version_string ?? props.$app_version,
    osVersion: props.$os_version,
    locale: undefined,
    country: props.mp_country_code,
  });
  return [{ event, context, sentName: name }];
}
