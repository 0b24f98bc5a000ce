import type { LeftOut } from '../../../observability/metrics.ts';
import { amplitudeEvent } from '../imports/amplitude.ts';
import {
  contentIds,
  type Fields,
  type ImportedEvent,
  INTERNAL,
  toRecord,
  toText,
} from '../imports/event.ts';
import { sentTime } from '../imports/times.ts';
import type { ReadMessage, Refused } from './take.ts';

const LEFT_OUT = new Map<string, LeftOut>([
  ['$groupidentify', 'group'],
  ['[Amplitude] Element Clicked', 'autocapture'],
  ['[Amplitude] Element Changed', 'autocapture'],
  ['[Amplitude] Dead Click', 'autocapture'],
  ['[Amplitude] Rage Click', 'autocapture'],
  ['[Amplitude] Replay Captured', 'replay'],
  ['[Amplitude] Network Request', 'autocapture'],
  ['[Amplitude] Web Vitals', 'heatmap'],
]);

function toJoining(message: Fields, event: ImportedEvent): ImportedEvent | LeftOut {
  const sent = [toText(message.user_id), toText(message.device_id)];
  if (sent.includes(undefined)) return 'internal';
  const joining = { ...event.event, name: 'identify', props: {} };
  return { ...event, event: joining, sentName: '$identify' };
}

const MONEY = [
  ['price', 'price'],
  ['quantity', 'quantity'],
  ['revenue', 'revenue'],
  ['productId', 'product_id'],
  ['revenueType', 'revenue_type'],
  ['currency', 'currency'],
] as const;

function toProps(message: Fields): Fields {
  const props = toRecord(message.event_properties);
  const sent = MONEY.filter(([field]) => (message[field] ?? null) !== null);
  if (sent.length === 0) return props;
  return { ...Object.fromEntries(sent.map(([field, name]) => [name, message[field]])), ...props };
}

export function amplitudeReader(): ReadMessage {
  const idOf = contentIds();
  return (message) => {
    const name = toText(message.event_type);
    if (name === undefined) throw new Error('event_type: is needed');
    const leftOut = LEFT_OUT.get(name);
    if (leftOut) return leftOut;
    if (INTERNAL.has(name)) return 'internal';
    const { time, user_id, device_id } = message;
    const ts = sentTime(time);
    const event = amplitudeEvent({
      name,
      id: toText(message.insert_id) ?? (ts === undefined ? undefined : idOf(message)),
      ts,
      session: message.session_id,
      props: toProps(message),
      person: user_id,
      device: device_id,
      platform: message.platform ?? message.os_name,
      appVersion: message.app_version ?? message.version_name,
      osVersion: message.os_version,
      country: message.country,
    });
    return name === '$identify' ? toJoining(message, event) : event;
  };
}

export function invalidFields(refused: readonly Refused[]): Record<string, number[]> {
  const fields: Record<string, number[]> = {};
  for (const { index, reason } of refused) {
    const [, field = 'event'] = /^([A-Za-z_]+)[:.]/.exec(reason) ?? [];
    fields[field] = [...(fields[field] ?? []), index];
  }
  return fields;
}
