import * as conditions from '../../query/selection/conditions.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { CONTEXT_FIELDS } from '../../shared/event-fields.ts';
import { isRecord } from '../../shared/record.ts';
import { isRefusedByJsonb } from '../../shared/well-formed-json.ts';
import {
  type FlagDefinition,
  type FlagRule,
  type FlagType,
  MAX_VALUE_BYTES,
  type Variant,
} from './model.ts';

const OF_EVENTS = new Set(['name', 'session']);

const FITS: Readonly<Record<FlagType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
  number: (value) => typeof value === 'number',
  json: isRecord,
};
const RULES: Readonly<Record<FlagType, string>> = {
  boolean: 'must be true or false',
  string: 'must be text without NUL and lone surrogates',
  number: 'must be a number',
  json: 'must be an object',
};

export const bytesOf = ({ value }: Variant): number => Buffer.byteLength(JSON.stringify(value));

function checkVariants({ type, variants }: FlagDefinition): void {
  const seen = new Set<string>();
  for (const [index, variant] of variants.entries()) {
    const place = `variants[${index}]`;
    if (seen.has(variant.name)) throw invalidInput(`${place}.name`, 'must be unlike any other');
    seen.add(variant.name);
    if (!FITS[type](variant.value)) throw invalidInput(`${place}.value`, RULES[type]);
    if (type === 'json' && isRefusedByJsonb(variant.value)) {
      throw invalidInput(`${place}.value`, 'must not hold NUL or lone surrogates');
    }
    if (bytesOf(variant) > MAX_VALUE_BYTES) {
      throw invalidInput(`${place}.value`, `must be at most ${MAX_VALUE_BYTES} bytes of JSON`);
    }
  }
}

function servedBy({ variant, split, variations }: FlagRule, place: string) {
  return [
    ...(variant === undefined ? [] : [{ name: variant, at: `${place}.variant` }]),
    ...(split ?? []).map((part, index) => ({
      name: part.variant,
      at: `${place}.split[${index}].variant`,
    })),
    ...Object.entries(variations ?? {}).map(([arm, name]) => ({
      name,
      at: `${place}.variations.${arm}`,
    })),
  ];
}

function checkForm({ variant, split, experiment, variations, percent }: FlagRule, place: string) {
  if ([variant, split, variations].filter((one) => one !== undefined).length !== 1) {
    throw invalidInput(place, 'needs one of variant, split and variations');
  }
  if ((experiment === undefined) !== (variations === undefined)) {
    throw invalidInput(`${place}.experiment`, 'goes with variations');
  }
  if (experiment !== undefined && percent !== undefined) {
    throw invalidInput(`${place}.percent`, 'the layer of the experiment says how many take part');
  }
  if (percent !== undefined && Math.abs(percent * 100 - Math.round(percent * 100)) > 1e-6) {
    throw invalidInput(`${place}.percent`, 'must have at most two decimals');
  }
}

function checkRule(rule: FlagRule, place: string, names: ReadonlySet<string>): void {
  const { where } = rule;
  checkForm(rule, place);
  const served = servedBy(rule, place);
  const unknown = served.find(({ name }) => !names.has(name));
  if (unknown) throw invalidInput(unknown.at, 'must be a variant of this flag');
  if (!where) return;
  conditions.checkConditions(where, `${place}.where`);
  for (const { place: at, condition } of conditions.placedMembers(where, `${place}.where`)) {
    if (condition.asOf === 'event') throw invalidInput(`${at}.asOf`, 'is now for flags');
  }
  for (const { place: at, condition } of conditions.placedConditions(where, `${place}.where`)) {
    if (OF_EVENTS.has(condition.field)) {
      throw invalidInput(`${at}.field`, `must be one of ${CONTEXT_FIELDS.join(', ')} or prop:NAME`);
    }
  }
}

/** Throws `invalid_input` with the place for what the schema cannot say. */
export function checkDefinition(flag: FlagDefinition): void {
  checkVariants(flag);
  const names = new Set(flag.variants.map(({ name }) => name));
  for (const field of ['defaultVariant', 'offVariant'] as const) {
    if (!names.has(flag[field])) throw invalidInput(field, 'must be a variant of this flag');
  }
  const ids = new Set<string>();
  for (const [index, rule] of flag.rules.entries()) {
    checkRule(rule, `rules[${index}]`, names);
    if (ids.has(rule.id)) throw invalidInput(`rules[${index}].id`, 'must be unlike any other');
    ids.add(rule.id);
  }
}

export function tooMany(message: string, hint: string): AppError {
  return new AppError('conflict', message, { hint });
}
