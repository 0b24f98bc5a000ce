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

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  /** That of the event before, where it is the same. */
  lastLike(context: Fields): BatchContext | undefined {
    return this.lastGroup(context)?.context;
  }

  add(event: EventInput, context: BatchContext): void {
    this.last = this.lastGroup(context) ?? this.groupOf(context);
    this.last.events.push(event);
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

  clear(): void {
    this.groups.clear();
    this.last = undefined;
  }

  /** No larger than a device's batches. */
  *batches(): Generator<Batch> {
    for (const group of this.groups.values()) yield* ofGroup(group);
  }
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
