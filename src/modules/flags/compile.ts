import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  type Condition,
  type Conditions,
  membersIn,
  toPropertyName,
  readItem,
} from '../../query/selection/conditions.ts';
import { at, must } from '../../shared/assert.ts';
import { foldCountry } from '../../event-store/append.ts';
import { armEnds, BUCKETS, bucketBy, type ServedExperiment } from '../experiments/index.ts';
import { type Answer, createWrite, type Pick, type Write, armPick } from './answers.ts';
import type { FlagDefinition, FlagRule } from './model.ts';
import type { Attribute } from './ofrep.model.ts';

type Attributes = (name: string) => Attribute;

export type Target = { person: string; attribute: Attributes; outcomes: (boolean | undefined)[] };

/** `outcomes` of conditions, by their number: each is tested once for all flags. */
export const createTarget = (person: string, attribute: Attributes): Target => ({
  person,
  attribute,
  outcomes: [],
});

type Test = (target: Target) => boolean;

export type CompiledFlag = { id: string; key: string; evaluate: (target: Target) => Answer };

/** True where the person is in the segment; no context says it. */
export const memberAttribute = (segment: string): string => `in ${segment}`;

function holdsIn(condition: Condition, attribute: Attributes): boolean {
  const { field } = condition;
  const property = toPropertyName(field);
  const value = attribute(property ?? field);
  // A device that cannot say sends an empty text, as in events.
  if (value === '' && property === null) return holdsFor(condition, null);
  const isCountry = field === 'country' && typeof value === 'string';
  return holdsFor(condition, isCountry ? foldCountry(value) : value);
}

/** By their JSON: flags of an app share most conditions. */
type SharedTests = Map<string, Test>;

function shareTest(where: Conditions | Condition, test: Test, shared: SharedTests): Test {
  const key = JSON.stringify(where);
  const number = shared.size;
  const once = shared.get(key) ?? ((target) => (target.outcomes[number] ??= test(target)));
  shared.set(key, once);
  return once;
}

const testsOf = (where: Conditions, shared: SharedTests): Test =>
  readItem<Test>(where, {
    one: (condition) =>
      shareTest(condition, ({ attribute }) => holdsIn(condition, attribute), shared),
    member: ({ segment, is }) => {
      const name = memberAttribute(segment);
      return ({ attribute }) => (attribute(name) === true) === is;
    },
    all: (tests) => (target) => tests.every((test) => test(target)),
    any: (tests) => (target) => tests.some((test) => test(target)),
  });

type CompiledRule = { applies: Test; pick: Pick };

function bucketBelow(seed: string, end: number): (person: string) => boolean {
  const toBucket = bucketBy(seed);
  return (person) => toBucket(person) < end;
}

/** A bucket each: more percent moves nobody to another variant. */
function pickOf({ id, percent, variant, split }: FlagRule, write: Write): Pick {
  const share = percent === undefined ? BUCKETS : Math.round((percent * BUCKETS) / 100);
  const takesPart = share < BUCKETS ? bucketBelow(id, share) : () => true;
  if (variant !== undefined) {
    const answer = write(variant, percent === undefined ? 'TARGETING_MATCH' : 'SPLIT');
    return (person) => (takesPart(person) ? answer : null);
  }
  const parts = must(split, 'a rule has a variant, a split or an experiment');
  const answers = parts.map((part) => write(part.variant, 'SPLIT'));
  const ends = armEnds(parts.map(({ weight }) => weight));
  const toBucket = bucketBy(`${id}:split`);
  return (person) => {
    if (!takesPart(person)) return null;
    const bucket = toBucket(person);
    return at(
      answers,
      ends.findIndex((end) => bucket < end),
    );
  };
}

type Source = { id: string; key: string; definition: FlagDefinition };
type Experiments = ReadonlyMap<string, ServedExperiment>;

export const segmentsIn = ({ rules }: FlagDefinition): string[] => [
  ...new Set(
    rules.flatMap(({ where }) => (where ? membersIn(where).map(({ segment }) => segment) : [])),
  ),
];

/** Shared by all flags that are evaluated together. */
type CompileContext = { experiments: Experiments; tests: SharedTests };

function compileRule(rule: FlagRule, write: Write, context: CompileContext): CompiledRule {
  const { where } = rule;
  const applies = where
    ? shareTest(where, testsOf(where, context.tests), context.tests)
    : () => true;
  if (rule.variations === undefined) return { applies, pick: pickOf(rule, write) };
  const experiment = context.experiments.get(rule.experiment ?? '');
  return { applies, pick: experiment ? armPick(experiment, rule.variations, write) : () => null };
}

export function compileFlag(
  { id, key, definition }: Source,
  { experiments = new Map(), tests = new Map() }: Partial<CompileContext> = {},
): CompiledFlag {
  const { isOn, defaultVariant, offVariant, rules } = definition;
  const write = createWrite(key, definition);
  if (!isOn) {
    const answer = write(offVariant, 'STATIC');
    return { id, key, evaluate: () => answer };
  }
  const otherwise = write(defaultVariant, rules.length > 0 ? 'UNKNOWN' : 'STATIC');
  const compiled = rules.map((rule) => compileRule(rule, write, { experiments, tests }));
  const evaluate = (target: Target) => {
    for (const { applies, pick } of compiled) {
      const answer = applies(target) ? pick(target.person) : null;
      if (answer) return answer;
    }
    return otherwise;
  };
  return { id, key, evaluate };
}
