import type { LeftOut } from '../../../observability/metrics.ts';
import { toIso } from '../../../shared/time.ts';
import { amplitude } from '../imports/amplitude.ts';
import { type Fields, type ImportedEvent, idOfContent, toIds, toText } from '../imports/event.ts';
import type { Refused } from './take.ts';

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

function toJoining({ user_id, device_id }: Fields, line: Fields): ImportedEvent | LeftOut {
  const [person, device] = [toText(user_id), toText(device_id)];
  if (person === undefined || device === undefined) return 'internal';
  const [joined] = amplitude({ ...line, event_type: 'identify', event_properties: {} });
  if (!joined) return 'internal';
  const event = { ...joined.event, ...toIds(person, device), userId: person };
  return { event, context: joined.context, sentName: '$identify' };
}

/** By the rules of imports; `insert_id` is the event's id, `time` milliseconds. */
export const amplitudeReader =
  (receivedMs: number) =>
  (message: Fields): ImportedEvent | LeftOut => {
    const name = toText(message.event_type);
    if (name === undefined) throw new Error('event_type: is needed');
    const leftOut = LEFT_OUT.get(name);
    if (leftOut) return leftOut;
    const { time, insert_id, user_id, device_id, event_properties, session_id } = message;
    const atMs = typeof time === 'number' && Number.isFinite(time) ? time : receivedMs;
    const line = {
      event_type: name,
      event_properties,
      user_id,
      device_id,
      session_id,
      event_time: toIso(new Date(Math.trunc(atMs))),
      $insert_id:
        toText(insert_id) ?? idOfContent([name, user_id, device_id, time, event_properties]),
      platform: message.platform ?? message.os_name,
      version_name: message.app_version ?? message.version_name,
      os_version: message.os_version,
      country: message.country,
    };
    if (name === '$identify') return toJoining(message, line);
    const [imported] = amplitude(line);
    return imported ?? 'internal';
  };

/** The protocol's lists: clients drop these events and send the others again, which counts nothing. */
export function invalidFields(refused: readonly Refused[]): Record<string, number[]> {
  const fields: Record<string, number[]> = {};
  for (const { index, reason } of refused) {
    const [, field = 'event'] = /^([A-Za-z_]+)[:.]/.exec(reason) ?? [];
    fields[field] = [...(fields[field] ?? []), index];
  }
  return fields;
}
