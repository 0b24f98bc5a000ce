import * as identity from '../../../shared/identity.ts';
import {
  type Fields,
  type ImportedEvent,
  INTERNAL,
  parsePath,
  toContext,
  toEvent,
  toProperties,
  toText,
} from './event.ts';
import { sentTime } from './times.ts';

/** `$os` is a browser's system too; `$lib` tells. */
function findSystem(props: Fields): unknown {
  const isBrowser =
    props.$lib === 'web' || props.$device_type === 'Web' || toText(props.$browser) !== undefined;
  return isBrowser ? 'web' : (props.$os_name ?? props.$os);
}

function toScreen(name: string, props: Fields) {
  if (name === '$screen') return { name: toText(props.$screen_name) };
  if (name !== '$pageview') return undefined;
  return { name: toText(props.$pathname) ?? parsePath(props.$current_url) };
}

type Sent = {
  name: string;
  id: string | undefined;
  ts: string | undefined;
  person: string | undefined;
  props: Fields;
};

/** After `reset()` the device goes on under another anonymous id. */
function toIds({ name, person, props }: Sent): identity.Ids {
  const { $is_identified: isIdentified, $process_person_profile: hasProfile } = props;
  const device = identity.firstId(toText(props.$anon_distinct_id), toText(props.$device_id));
  const isAnonymous =
    isIdentified === false ||
    (isIdentified === undefined && hasProfile === false && device !== undefined);
  return isAnonymous && name !== '$identify'
    ? identity.namedIds({ device: identity.firstId(person, device) })
    : identity.unknownIds(person, device);
}

export function posthogEvent(sent: Sent): ImportedEvent {
  const { name, id, ts, props } = sent;
  const ids = toIds(sent);
  const event = toEvent({
    name,
    id,
    ts,
    session: props.$session_id,
    props,
    screen: toScreen(name, props),
    ids,
  });
  const context = toContext({
    platform: findSystem(props),
    appVersion: props.$app_version,
    osVersion: props.$os_version,
    locale: props.$locale,
    country: props.$geoip_country_code ?? props.$geoip_country_name,
  });
  const namesOther = name === '$identify' && toText(props.$anon_distinct_id) !== undefined;
  const isJoin = namesOther && identity.mayJoinUsers(ids);
  return { event, context, sentName: name, ...(isJoin && { isOpen: false }) };
}

export const ALIASES: ReadonlySet<string> = new Set(['$create_alias', '$merge_dangerously']);

type Alias = { person: string | undefined; props: Fields; alias: string };

function toJoiningIds({ person, props, alias }: Alias): Partial<identity.Joining> {
  const { $is_identified: isIdentified, $device_id: device } = props;
  const joined = identity.joinedIds(person, alias);
  if (joined.userId === undefined || person === undefined) return joined;
  if (isIdentified === false || device === person) {
    return identity.namedIds({ user: alias, device: person });
  }
  if (isIdentified !== true) return joined;
  return { ...identity.namedIds({ user: person, device: alias }), isOpen: false };
}

export function posthogAlias(found: ImportedEvent, sent: Alias): ImportedEvent {
  const { isOpen, ...ids } = toJoiningIds(sent);
  const event = { ...found.event, userId: undefined, ...ids, name: 'identify', props: {} };
  const isAlias = isOpen !== undefined && ids.userId !== undefined;
  return { ...found, event, ...(isAlias && { isOpen }) };
}

/** Batch export to S3 as JSON lines: `uuid`, `event`, `distinct_id`, `properties`, `timestamp`. */
export function posthog(line: Fields, zone?: string): ImportedEvent[] {
  const name = toText(line.event);
  if (name === undefined) return [];
  const [person, props] = [toText(line.distinct_id), toProperties(line, 'properties')];
  const alias = ALIASES.has(name) ? toText(props.alias) : undefined;
  if (alias === undefined && INTERNAL.has(name)) return [];
  const ts = sentTime(line.timestamp, zone);
  const found = posthogEvent({ name, id: toText(line.uuid), ts, person, props });
  return [alias === undefined ? found : posthogAlias(found, { person, props, alias })];
}

/** Restores types; PostHog writes booleans as Python does. */
function parseCell(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text.length <= 17 && String(Number(text)) === text ? Number(text) : text;
}

/** The explorer flattens objects (`properties.$os`, `*.properties.$os`), SQL gives JSON. */
export function posthogRow(row: Readonly<Record<string, string>>): Fields {
  const cells = Object.entries(row).filter(([, text]) => text !== '');
  const fields: Fields = Object.create(null);
  const properties: Fields = Object.create(null);
  // Table columns first, so that the event's own win.
  for (const [column, text] of cells.toSorted(
    ([a], [b]) => Number(a[0] === '*') - Number(b[0] === '*'),
  )) {
    const name = column.replace(/^\*\./, '');
    if (name === 'properties') Object.assign(properties, toProperties(row, column));
    else if (name.startsWith('properties.')) properties[name.slice(11)] = parseCell(text);
    else fields[name] = text;
  }
  if (fields.id !== undefined) fields.uuid ??= fields.id;
  return { ...fields, properties };
}
