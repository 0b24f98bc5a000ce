import type { LeftOut } from '../../../observability/metrics.ts';
import { firstId } from '../../../shared/identity.ts';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import { contentIds, INTERNAL, toFields, toRecord, toText } from '../imports/event.ts';
import { ALIASES, posthogAlias, posthogEvent } from '../imports/posthog.ts';
import { sentTime } from '../imports/times.ts';
import type { ReadMessage } from './take.ts';

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
const timeOfAge = (age: unknown, receivedMs: number): string | undefined =>
  typeof age === 'number' ? msToIso(receivedMs - age) : undefined;

export function posthogReader(receivedMs: number): ReadMessage {
  const idOf = contentIds({ offset: undefined, sent_at: undefined });
  return (message) => {
    const name = toText(message.event);
    if (name === undefined) throw new Error('event: is needed');
    const leftOut = LEFT_OUT.get(name);
    if (leftOut) return leftOut;
    const props = toRecord(message.properties);
    const alias = ALIASES.has(name) ? toText(props.alias) : undefined;
    if (alias === undefined && INTERNAL.has(name)) return 'internal';
    const person = firstId(
      ...[toText(message.distinct_id), toText(message.$distinct_id)],
      ...[toText(props.distinct_id), toText(props.$distinct_id)],
    );
    const time = sentTime(message.timestamp);
    const ownId = toText(message.uuid) ?? toText(props.$insert_id);
    const found = posthogEvent({
      name,
      id: ownId ?? (time === undefined ? undefined : idOf(message)),
      ts: time ?? timeOfAge(message.offset, receivedMs),
      person,
      props,
    });
    if (props.$geoip_disable === true) found.ignoresAddress = true;
    return alias === undefined ? found : posthogAlias(found, { person, props, alias });
  };
}
