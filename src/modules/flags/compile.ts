import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  type Condition,
  type Conditions,
  propertyOf,
  readItem,
} from '../../query/selection/conditions.ts';
import { must } from '../../shared/assert.ts';
import { foldCountry } from '../../event-store/append.ts';
import { armEnds, BUCKETS, bucketOf } from '../experiments/index.ts';
import type { FlagDefinition, FlagRule } from './model.ts';
import type { Attribute, Reason } from './ofrep.model.ts';

/** What is known of who asks. */
export type Target = { person: string; attribute: (name: string) => Attribute };

type Test = (target: Target) => boolean;
/** The index of the answer, or -1 where the rule does not apply. */
type CompiledRule = (target: Target) => number;

/** An evaluation as JSON, written once. */
export type CompiledFlag = { id: string; key: string; evaluate: (target: Target) => string };

const MAX_REMEMBERED = 64;

/** Contexts have few versions and countries, and comparing versions takes long. */
function remembered(holds: (value: Attribute) => boolean): (value: Attribute) => boolean {
  const known = new Map<Attribute, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = holds(value);
    if (known.size < MAX_REMEMBERED) known.set(value, now);
    return now;
  };
}

function testOf(condition: Condition): Test {
  const { field } = condition;
  const name = propertyOf(field) ?? field;
  const isCountry = field === 'country';
  // A device that cannot say sends an empty text, as in events.
  const emptyIsMissing = propertyOf(field) === null;
  const holds = remembered((value) => {
    if (value === '' && emptyIsMissing) return holdsFor(condition, null);
    return holdsFor(condition, isCountry && typeof value === 'string' ? foldCountry(value) : value);
  });
  return ({ attribute }) => holds(attribute(name));
}

const testsOf = (where: Conditions): Test =>
  readItem<Test>(where, {
    one: testOf,
    all: (tests) => (target) => tests.every((test) => test(target)),
    any: (tests) => (target) => tests.some((test) => test(target)),
  });

/** Percent and split have a bucket each: more percent moves nobody to another variant. */
function compileRule(rule: FlagRule, answerOf: (variant: string, reason: Reason) => number) {
  const { id, where, percent, variant, split } = rule;
  const applies = where ? testsOf(where) : () => true;
  const share = percent === undefined ? BUCKETS : Math.round((percent * BUCKETS) / 100);
  const isIncluded: Test =
    share >= BUCKETS ? () => true : ({ person }) => bucketOf(id, person) < share;
  if (variant !== undefined) {
    const answer = answerOf(variant, percent === undefined ? 'TARGETING_MATCH' : 'SPLIT');
    return (target: Target) => (applies(target) && isIncluded(target) ? answer : -1);
  }
  const parts = must(split, 'a rule has a variant or a split');
  const ends = armEnds(parts.map(({ weight }) => weight));
  const answers = parts.map((part) => answerOf(part.variant, 'SPLIT'));
  const seed = `${id}:split`;
  return (target: Target) => {
    if (!applies(target) || !isIncluded(target)) return -1;
    const bucket = bucketOf(seed, target.person);
    return answers[ends.findIndex((end) => bucket < end)] ?? -1;
  };
}

type Source = { id: string; key: string; definition: FlagDefinition };

/** The first rule that applies, else the default variant; the off variant while the flag is off. */
export function compileFlag({ id, key, definition }: Source): CompiledFlag {
  const { isOn, variants, defaultVariant, offVariant, rules } = definition;
  const values = new Map(variants.map(({ name, value }) => [name, value]));
  const texts: string[] = [];
  const answerOf = (variant: string, reason: Reason): number => {
    const value = values.get(variant);
    return texts.push(JSON.stringify({ key, value, reason, variant })) - 1;
  };
  if (!isOn) {
    const text = must(texts[answerOf(offVariant, 'DISABLED')], 'it was just written');
    return { id, key, evaluate: () => text };
  }
  const otherwise = answerOf(defaultVariant, rules.length > 0 ? 'UNKNOWN' : 'STATIC');
  const compiled: CompiledRule[] = rules.map((rule) => compileRule(rule, answerOf));
  const evaluate = (target: Target): string => {
    for (const rule of compiled) {
      const index = rule(target);
      if (index >= 0) return texts[index] ?? '';
    }
    return texts[otherwise] ?? '';
  };
  return { id, key, evaluate };
}
