import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { findMisfit } from '../../shared/misfit.ts';
import { BatchContext, EventBatch, EventInput } from './model.ts';

const compiled = TypeCompiler.Compile(EventBatch);
const made = TypeCompiler.Compile(
  Type.Object({
    ...EventInput.properties,
    props: Type.Optional(Type.Unsafe<NonNullable<EventInput['props']>>(Type.Any())),
  }),
);
const contexts = TypeCompiler.Compile(BatchContext);
/** Property names have no limit of their own. */
const MAX_FIELD_CHARACTERS = 200;

/** Names the first event and field. */
export function validateBatch(body: unknown): EventBatch {
  if (compiled.Check(body)) return body;
  const error = must(compiled.Errors(body).First(), 'what fails the check has an error');
  const misfit = findMisfit('body', error);
  const field = misfit.field.slice(0, MAX_FIELD_CHARACTERS);
  const event = /^events\[(\d+)\]/.exec(field)?.[1];
  const where = event === undefined ? `Field ${field}` : `Event ${event}, field ${field}`;
  throw new AppError('invalid_batch', `The batch is not valid. ${where} is wrong.`, {
    hint: `${field}: ${misfit.rule}`,
  });
}

/** `context` as it is known to be valid, or undefined. */
type Made = { event: unknown; sentContext: unknown; context: BatchContext | undefined };

/** One event that a reader of another format made: its `props` are valid by their making. */
export function validateMade({ event, sentContext, context }: Made): {
  event: EventInput;
  context: BatchContext;
} {
  if (made.Check(event)) {
    if (context) return { event, context };
    if (contexts.Check(sentContext)) return { event, context: sentContext };
  }
  const {
    events: [only],
    context: checked = {},
  } = validateBatch({ events: [event], context: sentContext });
  return { event: must(only, 'a valid batch has an event'), context: checked };
}
