import type { DemoPerson } from '../../src/demo/month.ts';
import { type EventBatch, MAX_BATCH_EVENTS } from '../../src/modules/events/model.ts';

/** What clients would have sent: batches of one context each, as full as they may be. */
export function toBatches(people: readonly DemoPerson[]): EventBatch[] {
  const byContext = Map.groupBy(people, (person) => JSON.stringify(person.context));
  return [...byContext.values()].flatMap((group) => {
    const [first] = group;
    const events = group.flatMap((person) => person.events);
    const batches: EventBatch[] = [];
    for (let start = 0; start < events.length; start += MAX_BATCH_EVENTS) {
      const part = events.slice(start, start + MAX_BATCH_EVENTS);
      batches.push({ events: part, ...(first && { context: first.context }) });
    }
    return batches;
  });
}
