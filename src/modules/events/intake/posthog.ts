import type { LeftOut } from '../../../observability/metrics.ts';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import {
  type Fields,
  toFields,
  type ImportedEvent,
  INTERNAL,
  idOfContent,
  toIds,
  toRecord,
  toText,
} from '../imports/event.ts';
import { posthogEvent } from '../imports/posthog.ts';

/** Automatic events. */
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

/** Without a trusted clock, clients send an age. */
function toTime({ timestamp, offset }: Fields, receivedMs: number): string {
  const time = toText(timestamp);
  if (time !== undefined) return time;
  return msToIso(receivedMs - (typeof offset === 'number' ? offset : 0));
}

type Joining = { person: string | undefined; alias: string };

/** Joins the alias as a device to its person. */
function toJoining(found: ImportedEvent, { person, alias }: Joining): ImportedEvent {
  const known = person === undefined ? {} : { userId: person };
  const event = { ...found.event, name: 'identify', props: {}, ...toIds(person, alias), ...known };
  return { ...found, event, sentName: '$create_alias' };
}

/** By the rules of imports; `uuid` is the event's id. */
export const posthogReader =
  (receivedMs: number) =>
  (message: Fields): ImportedEvent | LeftOut => {
    const name = toText(message.event);
    if (name === undefined) throw new Error('event: is needed');
    const leftOut = LEFT_OUT.get(name);
    if (leftOut) return leftOut;
    const props = toRecord(message.properties);
    const alias = name === '$create_alias' ? toText(props.alias) : undefined;
    if (alias === undefined && INTERNAL.has(name)) return 'internal';
    const person = toText(message.distinct_id) ?? toText(props.distinct_id);
    const found = posthogEvent({
      name,
      id: toText(message.uuid) ?? idOfContent([name, person, message.timestamp, props]),
      ts: toTime(message, receivedMs),
      person,
      props,
    });
    if (props.$geoip_disable === true) found.ignoresAddress = true;
    return alias === undefined ? found : toJoining(found, { person, alias });
  };
