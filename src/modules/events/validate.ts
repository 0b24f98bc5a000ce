import { TypeCompiler } from '@sinclair/typebox/compiler';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { findMisfit } from '../../shared/misfit.ts';
import { BatchContext, EventBatch, EventInput } from './model.ts';

const compiled = TypeCompiler.Compile(EventBatch);
const events = TypeCompiler.Compile(EventInput);
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

/** One event of a batch of its own. */
export function validateEvent(
  event: unknown,
  context: unknown,
): { event: EventInput; context: BatchContext } {
  if (events.Check(event) && contexts.Check(context)) return { event, context };
  const {
    events: [only],
    context: checked = {},
  } = validateBatch({ events: [event], context });
  return { event: must(only, 'a valid batch has an event'), context: checked };
}
