import {
  firstId,
  type Ids,
  namedIds,
  unknownIds,
  isMadeForDevice,
} from '../../../shared/identity.ts';
import * as imported from './event.ts';
import { sentTime, toInstant } from './times.ts';

/** App openings tracked by the clients automatically. */
const OPENINGS = new Set(['$ae_first_open', '$app_open']);

function toScreen(name: string, props: imported.Fields) {
  if (name !== '$mp_web_page_view') return undefined;
  return {
    name: imported.toText(props.current_url_path) ?? imported.parsePath(props.$current_url),
  };
}

/** Before 2023 those of a clock in the project's zone. */
function toTime(time: unknown, zone: string | undefined): string | undefined {
  if (typeof time !== 'number') return undefined;
  const instant = sentTime(time);
  return zone === undefined ? instant : instant && toInstant(instant.replace('Z', ''), zone);
}

function idOf(name: string, { $insert_id, $device_id, distinct_id, time }: imported.Fields) {
  const id = imported.toText($insert_id);
  const device = imported.toText($device_id) ?? imported.toText(distinct_id);
  return id === undefined ? undefined : imported.idOfContent([id, name, time, device]);
}

const DEVICE = /^\$device:/;
/** Old clients' ids of devices. */
const NUMBERS = /^[0-9a-f]{8,}-[0-9a-f-]{20,}$/;

function toIds(props: imported.Fields): Ids {
  const [user, sent] = [imported.toText(props.$user_id), imported.toText(props.distinct_id)];
  const distinct = sent?.replace(DEVICE, '');
  const before = imported.toText(props.$anon_distinct_id) ?? '';
  const isOfDevice = isMadeForDevice(before) || NUMBERS.test(before);
  const device = firstId(
    imported.toText(props.$device_id),
    isOfDevice ? before.replace(DEVICE, '') : undefined,
    distinct === sent ? undefined : distinct,
  );
  return user === undefined ? unknownIds(distinct, device) : namedIds({ user, device });
}

export function mixpanel(line: imported.Fields, zone?: string): imported.ImportedEvent[] {
  const name = imported.toText(line.event);
  if (name === undefined || imported.INTERNAL.has(name)) return [];
  const props = imported.toRecord(line.properties);
  const isBrowser = props.mp_lib === 'web' || imported.toText(props.$browser) !== undefined;
  const event = imported.toEvent({
    name: OPENINGS.has(name) ? 'app_opened' : name,
    id: idOf(name, props),
    ts: toTime(props.time, zone),
    session: props.$session_id,
    props,
    screen: toScreen(name, props),
    ids: toIds(props),
  });
  const context = imported.toContext({
    platform: isBrowser ? 'web' : props.$os,
    appVersion: props.$app_version_string ?? props.$app_version,
    osVersion: props.$os_version,
    locale: undefined,
    country: props.mp_country_code,
  });
  return [{ event, context, sentName: name }];
}
