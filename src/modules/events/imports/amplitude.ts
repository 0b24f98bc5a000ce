import {
  contextOf,
  eventOf,
  type Fields,
  type ImportedEvent,
  INTERNAL,
  idsOf,
  recordOf,
  textOf,
} from './event.ts';

function screenOf(name: string, props: Fields) {
  if (name === '[Amplitude] Screen Viewed')
    return { name: textOf(props['[Amplitude] Screen Name']) };
  if (name === '[Amplitude] Page Viewed') return { name: textOf(props['[Amplitude] Page Path']) };
  return undefined;
}

/**
 * Export API: `event_type`, `event_time` (UTC without a zone), `user_id`, `device_id`,
 * `$insert_id`.
 */
export function amplitude(line: Fields): ImportedEvent[] {
  const name = textOf(line.event_type);
  if (name === undefined || INTERNAL.has(name) || name === '$identify') return [];
  const time = textOf(line.event_time);
  const props = recordOf(line.event_properties);
  const event = eventOf({
    name,
    id: textOf(line.$insert_id) ?? textOf(line.uuid),
    ts: time === undefined ? undefined : `${time.trim().replace(' ', 'T').replace(/Z$/, '')}Z`,
    session: line.session_id === -1 ? undefined : line.session_id,
    props,
    screen: screenOf(name, props),
    ids: idsOf(textOf(line.user_id), textOf(line.device_id)),
  });
  const context = contextOf({
    platform: line.platform,
    appVersion: line.version_name,
    osVersion: line.os_version,
    locale: undefined,
    country: line.country,
  });
  return [{ event, context, sentName: name }];
}
