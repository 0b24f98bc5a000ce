import { type BatchContext, type EventInput, MAX_BATCH_EVENTS } from '../model.ts';
import { type Fields, isSameContext } from './event.ts';

const BATCH_MAX_CHARACTERS = 60_000;

type Group = { context: BatchContext; events: EventInput[] };
/** As it is written; `count` events. */
type Batch = { text: string; count: number; context: BatchContext };

/** Events by context, which mostly is that of the event before. */
export class PendingEvents {
  private readonly groups = new Map<string, Group>();
  private last: Group | undefined;
  private added = 0;

  get count(): number {
    return this.added;
  }

  /** That of the event before, where it is the same. */
  lastLike(context: Fields): BatchContext | undefined {
    return this.lastGroup(context)?.context;
  }

  add(event: EventInput, context: BatchContext): void {
    this.last = this.lastGroup(context) ?? this.groupOf(context);
    this.last.events.push(event);
    this.added += 1;
  }

  private lastGroup(context: Fields): Group | undefined {
    return this.last && isSameContext(this.last.context, context) ? this.last : undefined;
  }

  private groupOf(context: BatchContext): Group {
    const key = JSON.stringify(context);
    const group = this.groups.get(key) ?? { context, events: [] };
    this.groups.set(key, group);
    return group;
  }

  /** No larger than a device's batches; empties. */
  take(): Batch[] {
    const batches = [...this.groups.values()].flatMap(ofGroup);
    this.groups.clear();
    this.last = undefined;
    this.added = 0;
    return batches;
  }
}

function ofGroup({ context, events }: Group): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < events.length; start += MAX_BATCH_EVENTS) {
    batches.push(...ofEvents({ context, events: events.slice(start, start + MAX_BATCH_EVENTS) }));
  }
  return batches;
}

function ofEvents({ context, events }: Group): Batch[] {
  const text = JSON.stringify({ events, context });
  const count = events.length;
  if (text.length <= BATCH_MAX_CHARACTERS || count === 1) return [{ text, count, context }];
  const half = Math.ceil(count / 2);
  return [events.slice(0, half), events.slice(half)].flatMap((part) =>
    ofEvents({ context, events: part }),
  );
}
