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
