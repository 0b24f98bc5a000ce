import type { LeftOut } from '../../../observability/metrics.ts';
import { toIso } from '../../../shared/time.ts';
import {
  type Fields,
  toFields,
  type ImportedEvent,
  idOfContent,
  toIds,
  toRecord,
  toText,
} from '../imports/event.ts';
import { posthog } from '../imports/posthog.ts';

/** Not acts that somebody named: clients send them by themselves, and often. */
const LEFT_OUT = new Map<string, LeftOut>([
  ['$snapshot', 'replay'],
  ['$autocapture', 'autocapture'],
  ['$copy_autocapture', 'autocapture'],
  ['$dead_click', 'autocapture'],
  ['$rageclick', 'autocapture'],
  ['$heatmap', 'heatmap'],
  ['$$heatmap', 'heatmap'],
  ['$web_vitals', 'heatmap'],
  ['$groupidentify', 'group'],
]);

/** One message, a list, or a list below `batch`. */
export function posthogMessages(sent: unknown): unknown[] {
  if (Array.isArray(sent)) return sent;
  const { batch } = toFields(sent);
  return Array.isArray(batch) ? batch : [sent];
}

/** Clients without a clock that they trust send how many milliseconds ago. */
function toTime({ timestamp, offset }: Fields, receivedMs: number): string {
  const time = toText(timestamp);
  if (time !== undefined) return time;
  return toIso(new Date(receivedMs - (typeof offset === 'number' ? offset : 0)));
}

/** Joins the alias as a device to its person. */
function toJoining(message: Fields, person: string | undefined, alias: string): ImportedEvent {
  const ids = toIds(person, alias);
  const sentName = '$create_alias';
  const [joined] = posthog({ ...message, event: '$identify', properties: {} });
  const event = { ...joined?.event, ...ids, ...(person !== undefined && { userId: person }) };
  return { event, context: joined?.context ?? {}, sentName };
}

/** By the rules of imports; `uuid` is the event's id. */
export const posthogReader =
  (receivedMs: number) =>
  (message: Fields): ImportedEvent | LeftOut => {
    const name = toText(message.event);
    if (name === undefined) throw new Error('event: is needed');
    const leftOut = LEFT_OUT.get(name);
    if (leftOut) return leftOut;
    const properties = toRecord(message.properties);
    const person = toText(message.distinct_id) ?? toText(properties.distinct_id);
    const line = {
      event: name,
      properties,
      distinct_id: person,
      uuid: toText(message.uuid) ?? idOfContent([name, person, message.timestamp, properties]),
      timestamp: toTime(message, receivedMs),
    };
    const alias = toText(properties.alias);
    if (name === '$create_alias' && alias !== undefined) return toJoining(line, person, alias);
    const [imported] = posthog(line);
    if (!imported) return 'internal';
    if (properties.$geoip_disable === true) imported.ignoresAddress = true;
    return imported;
  };
