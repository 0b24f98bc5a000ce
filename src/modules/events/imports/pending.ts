import { type BatchContext, type EventInput, MAX_BATCH_EVENTS } from '../model.ts';

const BATCH_MAX_CHARACTERS = 60_000;

type Group = { context: BatchContext; events: EventInput[] };
export type Pending = Map<string, Group>;

export function addPending(
  pending: Pending,
  { event, context }: { event: EventInput; context: BatchContext },
): void {
  const key = JSON.stringify(context);
  const group = pending.get(key);
  if (group) group.events.push(event);
  else pending.set(key, { context, events: [event] });
}

/** As it is written; `count` events. */
type Batch = { text: string; count: number; context: BatchContext };

/** No larger than a device's batches. */
export function* toBatches(pending: Pending): Generator<Batch> {
  for (const group of pending.values()) yield* ofGroup(group);
}

function toBatch({ context, events }: Group): Batch {
  return { text: JSON.stringify({ events, context }), count: events.length, context };
}

function* ofGroup(group: Group): Generator<Batch> {
  const { context, events } = group;
  if (events.length <= MAX_BATCH_EVENTS) {
    const whole = toBatch(group);
    if (whole.text.length <= BATCH_MAX_CHARACTERS) return yield whole;
  }
  let batch: EventInput[] = [];
  let characters = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    if (batch.length === MAX_BATCH_EVENTS || characters + length > BATCH_MAX_CHARACTERS) {
      if (batch.length > 0) yield toBatch({ context, events: batch });
      batch = [];
      characters = 0;
    }
    batch.push(event);
    characters += length;
  }
  if (batch.length > 0) yield toBatch({ context, events: batch });
}
