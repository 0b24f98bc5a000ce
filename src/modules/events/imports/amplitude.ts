import { namedIds } from '../../../shared/identity.ts';
import {
  type Fields,
  type ImportedEvent,
  INTERNAL,
  toContext,
  toEvent,
  toProperties,
  toText,
} from './event.ts';
import { clientTime, sentTime } from './times.ts';

function toScreen(name: string, props: Fields) {
  if (name === '[Amplitude] Screen Viewed')
    return { name: toText(props['[Amplitude] Screen Name']) };
  if (name === '[Amplitude] Page Viewed') return { name: toText(props['[Amplitude] Page Path']) };
  return undefined;
}

type Sent = {
  name: string;
  id: string | undefined;
  ts: string | undefined;
  session: unknown;
  props: Fields;
  person: unknown;
  device: unknown;
  platform: unknown;
  appVersion: unknown;
  osVersion: unknown;
  country: unknown;
};

export function amplitudeEvent(sent: Sent): ImportedEvent {
  const { name, id, ts, session, props, platform, appVersion, osVersion, country } = sent;
  const event = toEvent({
    name,
    id,
    ts,
    session: session === -1 || session === '-1' ? undefined : session,
    props,
    screen: toScreen(name, props),
    ids: namedIds({ user: toText(sent.person), device: toText(sent.device) }),
  });
  const context = toContext({ platform, appVersion, osVersion, locale: undefined, country });
  return { event, context, sentName: name };
}

export function amplitude(line: Fields): ImportedEvent[] {
  const name = toText(line.event_type);
  if (name === undefined || INTERNAL.has(name) || name === '$identify') return [];
  return [
    amplitudeEvent({
      name,
      id: toText(line.$insert_id) ?? toText(line.uuid),
      ts: clientTime(sentTime(line.event_time), sentTime(line.client_event_time)),
      session: line.session_id,
      props: toProperties(line, 'event_properties'),
      person: line.user_id,
      device: line.device_id,
      platform: line.platform,
      appVersion: line.version_name,
      osVersion: line.os_version,
      country: line.country,
    }),
  ];
}
