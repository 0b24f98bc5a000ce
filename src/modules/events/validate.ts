import { TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { EventBatch } from './model.ts';

const compiled = TypeCompiler.Compile(EventBatch);

const RULES: Readonly<Record<string, string>> = {
  events: 'must be an array of 1 to 100 events',
  context: 'must be an object',
  id: 'must be a string of 8 to 64 characters',
  name: 'must be 1 to 64 characters: a lowercase letter, then lowercase letters, digits or underscores',
  ts: 'must be an ISO 8601 date-time with an offset',
  anonymousId: 'must be a string of 8 to 128 characters',
  userId: 'must be a string of at most 128 characters',
  sessionId: 'must be a string of at most 128 characters',
  props: 'must be an object of strings, numbers, booleans and nulls',
  platform: 'must be one of ios, android, web, macos, other',
  appVersion: 'must be a string of at most 40 characters',
  osVersion: 'must be a string of at most 40 characters',
  locale: 'must be a string of at most 16 characters',
  country: 'must be exactly 2 characters',
};

const PROPERTY_RULE = 'must be a string of at most 500 characters, a number, a boolean or null';

/** `/events/3/props/screen` → `events[3].props.screen`. */
function fieldName(path: string): string {
  const parts = path.split('/').slice(1);
  if (parts.length === 0) return 'body';
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
    .slice(0, 200);
}

function rule(path: string): string {
  const parts = path.split('/').slice(1);
  if (parts[0] === 'events' && parts[2] === 'props' && parts.length > 3) return PROPERTY_RULE;
  if (parts[0] === 'events' && parts.length === 2) return 'must be an event object';
  const last = parts.at(-1);
  return (last && RULES[last]) || 'must be an object with events and, optionally, context';
}

function refusal({ path }: ValueError): AppError {
  const field = fieldName(path);
  const event = /^\/events\/(\d+)/.exec(path)?.[1];
  const where = event === undefined ? `Field ${field}` : `Event ${event}, field ${field}`;
  return new AppError('invalid_batch', `The batch is not valid. ${where} is wrong.`, {
    hint: `${field}: ${rule(path)}`,
  });
}

/**
 * The batch, typed. Throws `invalid_batch` with the first event and field that break a rule; one of
 * them rejects the whole batch.
 */
export function validateBatch(body: unknown): EventBatch {
  if (compiled.Check(body)) return body;
  throw refusal(must(compiled.Errors(body).First(), 'what fails the check has an error'));
}
