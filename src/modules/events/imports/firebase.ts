import { Type } from '@sinclair/typebox';
import { toExact } from '../../../shared/exact-json.ts';
import { parser } from '../../../shared/schema.ts';
import {
  type Fields,
  type ImportedEvent,
  idOfContent,
  parsePath,
  toContext,
  toEvent,
  toIds,
  toRecord,
  toText,
} from './event.ts';

const Parameters = Type.Array(
  Type.Object({ key: Type.String(), value: Type.Record(Type.String(), Type.Unknown()) }),
);
const parametersParser = parser(Parameters, 'event_params');

/** Added to every event by the clients. */
const ADDED = /^(ga_|firebase_|engaged_session_event$|engagement_time_msec$)/;

function parameterValue(value: Fields): unknown {
  const number = value.int_value ?? value.double_value ?? value.float_value;
  if (number !== undefined && number !== null) return toExact(String(number));
  return value.string_value ?? null;
}

function parseParameters(sent: unknown): Fields {
  const list = parametersParser.check(sent) ? sent : [];
  return Object.fromEntries(list.map(({ key, value }) => [key, parameterValue(value)]));
}

function toScreen(name: string, params: Fields) {
  if (name === 'screen_view') {
    return { name: toText(params.firebase_screen) ?? toText(params.firebase_screen_class) };
  }
  return name === 'page_view' ? { name: parsePath(params.page_location) } : undefined;
}

/** The table has no ids. */
const IDENTITY = [
  'user_pseudo_id',
  'event_timestamp',
  'event_name',
  'event_bundle_sequence_id',
  'batch_event_index',
  'batch_page_id',
  'batch_ordering_id',
] as const;

/** BigQuery export (`events_YYYYMMDD`) as newline-delimited JSON. */
export function firebase(line: Fields): ImportedEvent[] {
  const name = toText(line.event_name);
  if (name === undefined) return [];
  const params = parseParameters(line.event_params);
  const device = toText(line.user_pseudo_id);
  const ms = Math.floor(Number(toText(line.event_timestamp)) / 1_000);
  const session = toText(params.ga_session_id);
  const details = toRecord(line.device);
  const event = toEvent({
    name: name === 'session_start' ? 'app_opened' : name,
    id: idOfContent(IDENTITY.map((column) => toText(line[column]) ?? null)),
    ts: Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined,
    // Session numbers are unique per device only.
    session: session === undefined ? undefined : `${device}.${session}`,
    props: Object.fromEntries(Object.entries(params).filter(([key]) => !ADDED.test(key))),
    screen: toScreen(name, params),
    ids: toIds(toText(line.user_id) ?? device, device),
  });
  const context = toContext({
    platform: line.platform,
    appVersion: toRecord(line.app_info).version,
    osVersion: details.operating_system_version,
    locale: details.language,
    country: toRecord(line.geo).country,
  });
  return [{ event, context, sentName: name }];
}
