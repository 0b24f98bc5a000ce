import { type BatchContext, type EventBatch, type EventInput, MAX_BATCH_EVENTS } from '../model.ts';

const BATCH_MAX_CHARACTERS = 60_000;

type Group = { context: BatchContext; events: EventInput[] };
export type Pending = Map<string, Group>;

export function addPending(
  pending: Pending,
  { event, context }: { event: EventInput; context: BatchContext },
): void {
  const key = JSON.stringify(context);
  const group = pending.get(key) ?? { context, events: [] };
  group.events.push(event);
  pending.set(key, group);
}

/** No larger than a device's batches. */
export function* toBatches(pending: Pending): Generator<EventBatch> {
  for (const group of pending.values()) yield* ofGroup(group);
}

function* ofGroup({ context, events }: Group): Generator<EventBatch> {
  let batch: EventInput[] = [];
  let characters = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    if (batch.length === MAX_BATCH_EVENTS || characters + length > BATCH_MAX_CHARACTERS) {
      if (batch.length > 0) yield { events: batch, context };
      batch = [];
      characters = 0;
    }
    batch.push(event);
    characters += length;
  }
  if (batch.length > 0) yield { events: batch, context };
}
