import {
  type Fields,
  type ImportedEvent,
  INTERNAL,
  toContext,
  toEvent,
  toIds,
  toRecord,
  toText,
} from './event.ts';

function toScreen(name: string, props: Fields) {
  if (name === '[Amplitude] Screen Viewed')
    return { name: toText(props['[Amplitude] Screen Name']) };
  if (name === '[Amplitude] Page Viewed') return { name: toText(props['[Amplitude] Page Path']) };
  return undefined;
}

/** UTC without a zone. */
const toTime = (time: string): string =>
  time.charAt(10) === 'T' && time.endsWith('Z')
    ? time
    : `${time.trim().replace(' ', 'T').replace(/Z$/, '')}Z`;

/** Export API; `event_time` is UTC without a zone. */
export function amplitude(line: Fields): ImportedEvent[] {
  const name = toText(line.event_type);
  if (name === undefined || INTERNAL.has(name) || name === '$identify') return [];
  const time = toText(line.event_time);
  const props = toRecord(line.event_properties);
  const event = toEvent({
    name,
    id: toText(line.$insert_id) ?? toText(line.uuid),
    ts: time === undefined ? undefined : toTime(time),
    session: line.session_id === -1 ? undefined : line.session_id,
    props,
    screen: toScreen(name, props),
    ids: toIds(toText(line.user_id), toText(line.device_id)),
  });
  const context = toContext({
    platform: line.platform,
    appVersion: line.version_name,
    osVersion: line.os_version,
    locale: undefined,
    country: line.country,
  });
  return [{ event, context, sentName: name }];
}
