import { TypeCompiler } from '@sinclair/typebox/compiler';
import { isEventTime } from '../../event-store/append.ts';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { findMisfit } from '../../shared/misfit.ts';
import {
  BatchContext,
  EVENT_NAME_PATTERN,
  EventBatch,
  type EventInput,
  MAX_NAME_CHARACTERS,
  TEXT_LENGTHS,
} from './model.ts';

const compiled = TypeCompiler.Compile(EventBatch);
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

const NAME = new RegExp(EVENT_NAME_PATTERN);

type Length = { min: number; max: number };

const isText = (value: unknown, { min, max }: Length): boolean =>
  typeof value === 'string' &&
  value.length >= 2 * min &&
  value.length <= max &&
  !value.includes('\u0000') &&
  value.isWellFormed();

/** By the schema without its lookups of formats; false leaves it open. */
function isUsual(event: Made['event']): event is EventInput {
  const { id, name, ts, anonymousId, userId, sessionId } = event;
  return (
    typeof name === 'string' &&
    name.length <= MAX_NAME_CHARACTERS &&
    NAME.test(name) &&
    isText(anonymousId, TEXT_LENGTHS.anonymousId) &&
    (id === undefined || isText(id, TEXT_LENGTHS.id)) &&
    (userId === undefined || isText(userId, TEXT_LENGTHS.userId)) &&
    (sessionId === undefined || isText(sessionId, TEXT_LENGTHS.sessionId)) &&
    (ts === undefined || (typeof ts === 'string' && isEventTime(ts)))
  );
}

/** `context` as it is known to be valid, or undefined. */
type Made = {
  event: Record<string, unknown>;
  sentContext: unknown;
  context: BatchContext | undefined;
};

/** One event that a reader of another format made: its `props` are valid by their making. */
export function validateMade({ event, sentContext, context }: Made): {
  event: EventInput;
  context: BatchContext;
} {
  if (isUsual(event)) {
    if (context) return { event, context };
    if (contexts.Check(sentContext)) return { event, context: sentContext };
  }
  const {
    events: [only],
    context: checked = {},
  } = validateBatch({ events: [event], context: sentContext });
  return { event: must(only, 'a valid batch has an event'), context: checked };
}
