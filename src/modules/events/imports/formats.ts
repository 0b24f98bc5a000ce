import { Type } from '@sinclair/typebox';
import { parser } from '../../../shared/schema.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { type BatchContext, type EventInput, PLATFORMS } from '../model.ts';

export const IMPORT_FORMATS = ['posthog', 'mixpanel', 'amplitude'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** One line of an export in the form of our own batches, not validated yet; null is left out. */
export type ImportedEvent = { event: EventInput; context: BatchContext } | null;

const Fields = Type.Record(Type.String(), Type.Unknown());
type Fields = typeof Fields.static;
const fieldsParser = parser(Fields, 'line of an export');

const NAME_MAX = 64;
const PROPERTY_MAX = 500;
const PROPERTIES_MAX = 100;
const ANONYMOUS_MIN = 8;
const ID_MAX = 64;

/** What the products write for themselves, of nothing that a person did. */
const INTERNAL = new Set(['$set', '$groupidentify', '$feature_flag_called', '$create_alias']);

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value)
    : undefined;
const recordOf = (value: unknown): Fields => (fieldsParser.check(value) ? value : {});

/** `Paywall Viewed`, `paywallViewed` and `$paywall_viewed` are `paywall_viewed`. */
export function eventName(sent: string): string {
  return sent
    .replace(/^\[Amplitude\]\s*/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, NAME_MAX);
}

/** Values that an event can have; lists and objects as their JSON, the products' own left out. */
function propsOf(sent: Fields): NonNullable<EventInput['props']> {
  const props: NonNullable<EventInput['props']> = {};
  const own = Object.entries(sent).filter(
    ([name]) => !/^(\$|mp_|token$|distinct_id$|time$)/.test(name),
  );
  for (const [name, value] of own.slice(0, PROPERTIES_MAX)) {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      props[name] = value;
    } else if (value !== undefined) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      props[name] = [...text.slice(0, 2 * PROPERTY_MAX)].slice(0, PROPERTY_MAX).join('');
    }
  }
  return props;
}

function contextOf(sent: Record<keyof BatchContext, unknown>): BatchContext {
  const system = textOf(sent.platform)?.toLowerCase();
  const platform = system === undefined ? undefined : platformOf(system);
  const country = textOf(sent.country);
  const short = (value: unknown, max: number) => textOf(value)?.slice(0, max);
  const appVersion = short(sent.appVersion, 40);
  const osVersion = short(sent.osVersion, 40);
  const locale = short(sent.locale, 16);
  return {
    ...(platform !== undefined && { platform }),
    ...(appVersion !== undefined && { appVersion }),
    ...(osVersion !== undefined && { osVersion }),
    ...(locale !== undefined && { locale }),
    ...(country !== undefined && /^[A-Za-z]{2}$/.test(country) && { country }),
  };
}

function platformOf(system: string): NonNullable<BatchContext['platform']> {
  const known = PLATFORMS.find((name) => name === system);
  if (known) return known;
  if (/^(iphone|ipad|ios)/.test(system)) return 'ios';
  if (/^mac/.test(system)) return 'macos';
  return system === 'web' || system === 'chrome' || system === 'safari' ? 'web' : 'other';
}

/** A device's id has eight characters at least; a shorter one is that of a user. */
function idsOf(person: string | undefined, device: string | undefined) {
  const isOwn = person !== undefined && person !== device;
  if (device !== undefined && device.length >= ANONYMOUS_MIN) {
    return { anonymousId: device, ...(isOwn && { userId: person }) };
  }
  const id = person ?? device ?? '';
  if (id.length >= ANONYMOUS_MIN && device === undefined) return { anonymousId: id };
  return { anonymousId: id === '' ? '' : `imported-${id}`, ...(id !== '' && { userId: id }) };
}

type Common = {
  name: string;
  id: string | undefined;
  ts: string | undefined;
  session: unknown;
  props: Fields;
  ids: ReturnType<typeof idsOf>;
};

function eventOf({ name, id, ts, session, props, ids }: Common): EventInput {
  const sessionId = textOf(session);
  return {
    ...(id !== undefined && { id: id.length >= 8 ? id.slice(0, ID_MAX) : `imported-${id}` }),
    name: eventName(name),
    ...(ts !== undefined && { ts }),
    ...ids,
    ...(sessionId !== undefined && { sessionId }),
    props: propsOf(props),
  };
}

/** Batch export to S3 as JSON lines: `uuid`, `event`, `distinct_id`, `properties`, `timestamp`. */
function posthog(line: Fields): ImportedEvent {
  const name = textOf(line.event);
  if (name === undefined || INTERNAL.has(name)) return null;
  const props = recordOf(line.properties);
  const device = textOf(props.$anon_distinct_id) ?? textOf(props.$device_id);
  return {
    event: eventOf({
      name,
      id: textOf(line.uuid),
      ts: textOf(line.timestamp),
      session: props.$session_id,
      props,
      ids: idsOf(textOf(line.distinct_id), device),
    }),
    context: contextOf({
      platform: props.$os ?? props.$lib,
      appVersion: props.$app_version,
      osVersion: props.$os_version,
      locale: props.$locale,
      country: props.$geoip_country_code,
    }),
  };
}

/** A cell of CSV with the type that it had; PostHog writes booleans as Python does. */
function cellOf(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text.length <= 17 && String(Number(text)) === text ? Number(text) : text;
}

/**
 * A row of PostHog's CSV as the line that its JSON has. The explorer of events flattens objects
 * (`properties.$os`, or `*.properties.$os` beside the columns of the table); an SQL query gives
 * `properties` as JSON. A time without a zone is UTC.
 */
function posthogRow(row: Readonly<Record<string, string>>): Fields {
  const cells = Object.entries(row).filter(([, text]) => text !== '');
  const fields: Fields = {};
  const properties: Fields = {};
  // Columns of the table come first, so that those of the event itself win.
  for (const [column, text] of cells.toSorted(
    ([a], [b]) => Number(a[0] === '*') - Number(b[0] === '*'),
  )) {
    const name = column.replace(/^\*\./, '');
    if (name === 'properties') Object.assign(properties, fieldsParser.parse(JSON.parse(text)));
    else if (name.startsWith('properties.')) properties[name.slice(11)] = cellOf(text);
    else fields[name] = text;
  }
  const at = textOf(fields.timestamp)?.replace(' ', 'T');
  const hasZone = at !== undefined && /(Z|[+-]\d\d:?\d\d)$/.test(at);
  const timestamp = at === undefined || hasZone ? at : `${at}Z`;
  return { ...fields, uuid: fields.uuid ?? fields.id, timestamp, properties };
}

/** Raw export: `{"event", "properties": {"time" (seconds), "distinct_id", "$insert_id"}}`. */
function mixpanel(line: Fields): ImportedEvent {
  const name = textOf(line.event);
  if (name === undefined || INTERNAL.has(name)) return null;
  const props = recordOf(line.properties);
  const time = typeof props.time === 'number' ? props.time : Number.NaN;
  const ms = time > 1e11 ? time : time * SECOND_MS;
  const distinct = textOf(props.distinct_id)?.replace(/^\$device:/, '');
  return {
    event: eventOf({
      name,
      id: textOf(props.$insert_id),
      ts: Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined,
      session: props.$session_id,
      props,
      ids: idsOf(textOf(props.$user_id) ?? distinct, textOf(props.$device_id)),
    }),
    context: contextOf({
      platform: props.$os,
      appVersion: props.$app_version_string ?? props.$app_version,
      osVersion: props.$os_version,
      locale: undefined,
      country: props.mp_country_code,
    }),
  };
}

/** Export API: `event_type`, `event_time` (UTC without a zone), `user_id`, `device_id`, `$insert_id`. */
function amplitude(line: Fields): ImportedEvent {
  const name = textOf(line.event_type);
  if (name === undefined || INTERNAL.has(name) || name === '$identify') return null;
  const time = textOf(line.event_time);
  return {
    event: eventOf({
      name,
      id: textOf(line.$insert_id) ?? textOf(line.uuid),
      ts: time === undefined ? undefined : `${time.trim().replace(' ', 'T').replace(/Z$/, '')}Z`,
      session: line.session_id === -1 ? undefined : line.session_id,
      props: recordOf(line.event_properties),
      ids: idsOf(textOf(line.user_id), textOf(line.device_id)),
    }),
    context: contextOf({
      platform: line.platform,
      appVersion: line.version_name,
      osVersion: line.os_version,
      locale: undefined,
      country: line.country,
    }),
  };
}

const READERS = { posthog, mixpanel, amplitude } as const;

/** The format of an export by the fields of one of its lines, or null. */
export function recognise(line: Fields): ImportFormat | null {
  if (typeof line.event_type === 'string') return 'amplitude';
  if (typeof line.event !== 'string') return null;
  return 'uuid' in line || 'distinct_id' in line ? 'posthog' : 'mixpanel';
}

/** Reads one record of an export. Throws for text that is no JSON object. */
export function readRecord(record: string | Readonly<Record<string, string>>): Fields {
  if (typeof record !== 'string') return posthogRow(record);
  return fieldsParser.parse(JSON.parse(record));
}

export const toImported = (format: ImportFormat, line: Fields): ImportedEvent =>
  READERS[format](line);
