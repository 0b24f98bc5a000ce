import type { Properties, PropertyValue, Report } from './types.ts';

export const MAX_STRING = 500;
const EVENT_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const isEventName = (name: unknown): name is string =>
  typeof name === 'string' && EVENT_NAME.test(name);

/** At most `max` code points, and only what UTF-8 can hold. */
export function cut(text: string, max: number): string {
  const whole = text.replace(LONE_SURROGATE, '\ufffd');
  return whole.length <= max
    ? whole
    : Array.from(whole.slice(0, max * 2))
        .slice(0, max)
        .join('');
}

/** Why `userId` cannot be one, or nothing when it can. */
export function userIdFault(userId: unknown): string | undefined {
  if (typeof userId !== 'string' || !userId || /\0/.test(userId) || cut(userId, 128) !== userId) {
    return 'A user id has 1 to 128 characters, no NUL.';
  }
  return EMAIL.test(userId) ? 'A user id is never an e-mail address.' : undefined;
}

function cleanValue(value: unknown): PropertyValue | undefined {
  if (typeof value === 'string') return cut(value, MAX_STRING);
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  return value === null || typeof value === 'boolean' ? value : undefined;
}

/** Scalars only; what does not fit is left out and reported, so that the batch is not refused. */
export function cleanProps(props: Properties | undefined, report: Report) {
  const clean: Record<string, PropertyValue> = {};
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined) continue;
    const scalar = cleanValue(value);
    if (scalar === undefined) report('invalid_property', `Property "${name}" is not a scalar.`);
    else clean[cut(name, MAX_STRING)] = scalar;
  }
  return clean;
}
