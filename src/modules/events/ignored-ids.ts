import type { DeviceContext } from '../../context.ts';
import { IGNORED_ID } from '../../event-store/append.ts';
import { isNoId } from '../../shared/identity.ts';
import { BatchContext, EventBatch, EventInput } from './model.ts';

type FieldPlace = 'batch' | 'event' | 'context';

const KNOWN: Record<FieldPlace, ReadonlySet<string>> = {
  batch: new Set(Object.keys(EventBatch.properties)),
  event: new Set(Object.keys(EventInput.properties)),
  context: new Set(Object.keys(BatchContext.properties)),
};

function countUnknown(value: object, place: FieldPlace): number {
  const known = KNOWN[place];
  let unknown = 0;
  for (const field in value) if (!known.has(field)) unknown += 1;
  return unknown;
}

export function countIgnoredFields(batch: EventBatch): Record<FieldPlace, number> {
  let event = 0;
  for (const one of batch.events) event += countUnknown(one, 'event');
  const context = batch.context === undefined ? 0 : countUnknown(batch.context, 'context');
  return { batch: countUnknown(batch, 'batch'), event, context };
}

const FIELDS = ['userId', 'anonymousId'] as const;

export function noteIgnoredIds(
  ctx: DeviceContext<'events'>,
  events: readonly EventInput[],
  nowMs: number,
): void {
  for (const field of FIELDS) {
    const ignored = events.filter(({ [field]: id }) => id && isNoId(id));
    const last = ignored.at(-1);
    if (!last) continue;
    const said = `${JSON.stringify(last[field])} in ${JSON.stringify(last)}`;
    ctx.deps.events.rejections.add(ctx, `${IGNORED_ID}${field}`, said, nowMs, ignored.length);
  }
}
