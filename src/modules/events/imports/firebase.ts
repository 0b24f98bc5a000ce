import { parseExact, toExact } from '../../../shared/exact-json.ts';
import { namedIds } from '../../../shared/identity.ts';
import { isRecord } from '../../../shared/record.ts';
import * as imported from './event.ts';
import { fromMicroseconds } from './times.ts';

/** Added to every event by the clients. */
const ADDED = /^(ga_|firebase_|engaged_session_event$|engagement_time_msec$)/;

function parameterValue(value: imported.Fields): unknown {
  const number = value.int_value ?? value.double_value ?? value.float_value;
  if (number !== undefined && number !== null) return toExact(String(number));
  return value.string_value ?? null;
}

function parseList(line: imported.Fields, column: string): unknown[] {
  const sent = line[column] ?? [];
  try {
    const list = typeof sent === 'string' ? parseExact(sent) : sent;
    if (Array.isArray(list)) return list;
  } catch {}
  throw new Error(`${column}: must be a list of JSON`);
}

const parseParameters = (line: imported.Fields): imported.Fields =>
  Object.fromEntries(
    parseList(line, 'event_params')
      .filter(isRecord)
      .map(({ key, value }) => [
        imported.toText(key) ?? '',
        parameterValue(imported.toRecord(value)),
      ]),
  );

function toPurchase(line: imported.Fields): imported.Fields {
  const list = parseList(line, 'items');
  const told = Object.entries(imported.toProperties(line, 'ecommerce')).filter(
    ([, value]) => value !== null && value !== '(not set)',
  );
  return {
    ...Object.fromEntries(told),
    ...(list.length > 0 ? { items: list } : {}),
  };
}

function toScreen(name: string, params: imported.Fields) {
  if (name === 'screen_view') {
    return {
      name:
        imported.toText(params.firebase_screen) ?? imported.toText(params.firebase_screen_class),
    };
  }
  return name === 'page_view' ? { name: imported.parsePath(params.page_location) } : undefined;
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
export function firebase(line: imported.Fields): imported.ImportedEvent[] {
  const name = imported.toText(line.event_name);
  if (name === undefined) return [];
  const params = parseParameters(line);
  const device = imported.toText(line.user_pseudo_id);
  const session = imported.toText(params.ga_session_id);
  const details = imported.toProperties(line, 'device');
  const own = Object.entries(params).filter(([key]) => !ADDED.test(key));
  const event = imported.toEvent({
    name: name === 'session_start' ? 'app_opened' : name,
    id: imported.idOfContent(IDENTITY.map((column) => imported.toText(line[column]) ?? null)),
    ts: fromMicroseconds(Number(imported.toText(line.event_timestamp))),
    // Session numbers are unique per device only.
    session: session === undefined ? undefined : `${device}.${session}`,
    props: { ...toPurchase(line), ...Object.fromEntries(own) },
    screen: toScreen(name, params),
    ids: namedIds({ user: imported.toText(line.user_id), device }),
  });
  const context = imported.toContext({
    platform: line.platform,
    appVersion: imported.toProperties(line, 'app_info').version,
    osVersion: details.operating_system_version,
    locale: details.language,
    country: imported.toProperties(line, 'geo').country,
  });
  return [{ event, context, sentName: name }];
}
