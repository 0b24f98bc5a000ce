import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  type Condition,
  type Conditions,
  conditionsOf,
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

type Test = (attribute: Target['attribute']) => boolean;

export type CompiledFlag = {
  id: string;
  key: string;
  /** Names that its rules read. */
  attributes: readonly string[];
  resolve: (attribute: Target['attribute']) => Resolved;
  /** As JSON, which is written once. */
  evaluate: (target: Target) => string;
};

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
  return (attribute) => holds(attribute(name));
}

const testsOf = (where: Conditions): Test =>
  readItem<Test>(where, {
    one: testOf,
    all: (tests) => (attribute) => tests.every((test) => test(attribute)),
    any: (tests) => (attribute) => tests.some((test) => test(attribute)),
  });

/** What is left once the attributes are known: an answer as JSON, or what depends on the person. */
export type Resolved = string | ((person: string) => string);
type Attributes = Target['attribute'];

/** The index of the answer by person, or -1; a number where it is the same for all. */
type Pick = number | ((person: string) => number);
type CompiledRule = { applies: (attribute: Attributes) => boolean; pick: Pick };

/** Percent and split have a bucket each: more percent moves nobody to another variant. */
function pickOf(rule: FlagRule, answerOf: (variant: string, reason: Reason) => number): Pick {
  const { id, percent, variant, split } = rule;
  const share = percent === undefined ? BUCKETS : Math.round((percent * BUCKETS) / 100);
  const isIncluded = (person: string) => share >= BUCKETS || bucketOf(id, person) < share;
  if (variant !== undefined) {
    const answer = answerOf(variant, percent === undefined ? 'TARGETING_MATCH' : 'SPLIT');
    return share >= BUCKETS ? answer : (person) => (isIncluded(person) ? answer : -1);
  }
  const parts = must(split, 'a rule has a variant or a split');
  const ends = armEnds(parts.map(({ weight }) => weight));
  const answers = parts.map((part) => answerOf(part.variant, 'SPLIT'));
  const seed = `${id}:split`;
  return (person) => {
    if (!isIncluded(person)) return -1;
    const bucket = bucketOf(seed, person);
    return answers[ends.findIndex((end) => bucket < end)] ?? -1;
  };
}

type Source = { id: string; key: string; definition: FlagDefinition };

/** Those that rules read. */
const namesIn = ({ rules }: FlagDefinition): string[] =>
  rules.flatMap(({ where }) =>
    where ? conditionsOf(where).map(({ field }) => propertyOf(field) ?? field) : [],
  );

/** The first rule that applies, else the default variant; the off variant while the flag is off. */
export function compileFlag({ id, key, definition }: Source): CompiledFlag {
  const { isOn, variants, defaultVariant, offVariant, rules } = definition;
  const values = new Map(variants.map(({ name, value }) => [name, value]));
  const texts: string[] = [];
  const answerOf = (variant: string, reason: Reason): number => {
    const value = values.get(variant);
    return texts.push(JSON.stringify({ key, value, reason, variant })) - 1;
  };
  const textOf = (index: number): string => must(texts[index], 'it was written before');
  if (!isOn) {
    const text = textOf(answerOf(offVariant, 'DISABLED'));
    return { id, key, attributes: [], resolve: () => text, evaluate: () => text };
  }
  const otherwise = answerOf(defaultVariant, rules.length > 0 ? 'UNKNOWN' : 'STATIC');
  const compiled: CompiledRule[] = rules.map((rule) => ({
    applies: rule.where ? testsOf(rule.where) : () => true,
    pick: pickOf(rule, answerOf),
  }));
  const resolve = (attribute: Attributes): Resolved => {
    const picks: ((person: string) => number)[] = [];
    let last = otherwise;
    for (const { applies, pick } of compiled) {
      if (!applies(attribute)) continue;
      if (typeof pick === 'number') {
        last = pick;
        break;
      }
      picks.push(pick);
    }
    if (picks.length === 0) return textOf(last);
    return (person) => {
      for (const pick of picks) {
        const index = pick(person);
        if (index >= 0) return textOf(index);
      }
      return textOf(last);
    };
  };
  const evaluate = ({ person, attribute }: Target): string => answerFor(resolve(attribute), person);
  return { id, key, attributes: namesIn(definition), resolve, evaluate };
}

export const answerFor = (resolved: Resolved, person: string): string =>
  typeof resolved === 'string' ? resolved : resolved(person);
