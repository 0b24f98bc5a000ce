import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  type Condition,
  type Conditions,
  listConditions,
  membersIn,
  toPropertyName,
  readItem,
} from '../../query/selection/conditions.ts';
import { must } from '../../shared/assert.ts';
import { foldCountry } from '../../event-store/append.ts';
import { armEnds, BUCKETS, bucketBy, type ServedExperiment } from '../experiments/index.ts';
import { type Answer, createWrite, type Pick, type Write } from './answers.ts';
import { armPick } from './experiment-rule.ts';
import type { FlagDefinition, FlagRule } from './model.ts';
import type { Attribute } from './ofrep.model.ts';

/** What is known of who asks. */
export type Target = { person: string; attribute: (name: string) => Attribute };

type Test = (attribute: Target['attribute']) => boolean;

export type CompiledFlag = {
  id: string;
  key: string;
  /** Names that its rules read. */
  attributes: readonly string[];
  resolve: (attribute: Target['attribute']) => Resolved;
  evaluate: (target: Target) => Answer;
};

/** True where the person is in the segment; no context says it. */
export const memberAttribute = (segment: string): string => `in ${segment}`;

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
  const name = toPropertyName(field) ?? field;
  const isCountry = field === 'country';
  // A device that cannot say sends an empty text, as in events.
  const emptyIsMissing = toPropertyName(field) === null;
  const holds = remembered((value) => {
    if (value === '' && emptyIsMissing) return holdsFor(condition, null);
    return holdsFor(condition, isCountry && typeof value === 'string' ? foldCountry(value) : value);
  });
  return (attribute) => holds(attribute(name));
}

const testsOf = (where: Conditions): Test =>
  readItem<Test>(where, {
    one: testOf,
    member:
      ({ segment, is }) =>
      (attribute) =>
        (attribute(memberAttribute(segment)) === true) === is,
    all: (tests) => (attribute) => tests.every((test) => test(attribute)),
    any: (tests) => (attribute) => tests.some((test) => test(attribute)),
  });

/** What is left once the attributes are known: an answer, or what depends on the person. */
export type Resolved = Answer | ((person: string) => Answer);
type Attributes = Target['attribute'];

type CompiledRule = { applies: (attribute: Attributes) => boolean; pick: Pick };

/** Percent and split have a bucket each: more percent moves nobody to another variant. */
function pickOf({ id, percent, variant, split }: FlagRule, write: Write): Pick {
  const share = percent === undefined ? BUCKETS : Math.round((percent * BUCKETS) / 100);
  const bucket = bucketBy(id);
  if (variant !== undefined) {
    const answer = write(variant, percent === undefined ? 'TARGETING_MATCH' : 'SPLIT');
    return share >= BUCKETS ? answer : (person) => (bucket(person) < share ? answer : null);
  }
  const parts = must(split, 'a rule has a variant, a split or an experiment');
  const ends = armEnds(parts.map(({ weight }) => weight));
  const answers = parts.map((part) => write(part.variant, 'SPLIT'));
  const splitBucket = bucketBy(`${id}:split`);
  return (person) => {
    if (share < BUCKETS && bucket(person) >= share) return null;
    const place = splitBucket(person);
    return answers[ends.findIndex((end) => place < end)] ?? null;
  };
}

type Source = { id: string; key: string; definition: FlagDefinition };
/** By id; those that give people arms. */
type Experiments = ReadonlyMap<string, ServedExperiment>;

export const segmentsIn = ({ rules }: FlagDefinition): string[] => [
  ...new Set(
    rules.flatMap(({ where }) => (where ? membersIn(where).map(({ segment }) => segment) : [])),
  ),
];

/** Those that rules read. */
const namesIn = (definition: FlagDefinition): string[] => [
  ...definition.rules.flatMap(({ where }) =>
    where ? listConditions(where).map(({ field }) => toPropertyName(field) ?? field) : [],
  ),
  ...segmentsIn(definition).map(memberAttribute),
];

function compileRule(rule: FlagRule, write: Write, experiments: Experiments): CompiledRule {
  const applies = rule.where ? testsOf(rule.where) : () => true;
  if (rule.variations === undefined) return { applies, pick: pickOf(rule, write) };
  const experiment = experiments.get(rule.experiment ?? '');
  return { applies, pick: experiment ? armPick(experiment, rule.variations, write) : () => null };
}

/** The first answer, in the order of the rules. */
function resolvedOf(picks: readonly Pick[], otherwise: Answer): Resolved {
  const last = picks.find((pick) => typeof pick !== 'function') ?? otherwise;
  const byPerson = picks.filter((pick) => typeof pick === 'function');
  const [only] = byPerson;
  if (!only) return last;
  if (byPerson.length === 1) return (person) => only(person) ?? last;
  return (person) => {
    for (const pick of byPerson) {
      const answer = pick(person);
      if (answer) return answer;
    }
    return last;
  };
}

/** Contexts differ more than the rules that apply in them, and what is shared stays in caches. */
function createResolve(rules: readonly CompiledRule[], otherwise: Answer): CompiledFlag['resolve'] {
  const known = new Map<string, Resolved>();
  return (attribute) => {
    const applying: number[] = [];
    for (const [index, { applies, pick }] of rules.entries()) {
      if (!applies(attribute)) continue;
      applying.push(index);
      if (typeof pick !== 'function') break;
    }
    const id = applying.join();
    const before = known.get(id);
    if (before) return before;
    const picks = applying.flatMap((index) => rules[index]?.pick ?? []);
    const resolved = resolvedOf(picks, otherwise);
    if (known.size < MAX_REMEMBERED) known.set(id, resolved);
    return resolved;
  };
}

/** The first rule that applies, else the default variant; the off variant while the flag is off. */
export function compileFlag(
  { id, key, definition }: Source,
  experiments: Experiments = new Map(),
): CompiledFlag {
  const { isOn, defaultVariant, offVariant, rules } = definition;
  const write = createWrite(key, definition);
  if (!isOn) {
    const answer = write(offVariant, 'DISABLED');
    return { id, key, attributes: [], resolve: () => answer, evaluate: () => answer };
  }
  const otherwise = write(defaultVariant, rules.length > 0 ? 'UNKNOWN' : 'STATIC');
  const compiled = rules.map((rule) => compileRule(rule, write, experiments));
  const resolve = createResolve(compiled, otherwise);
  const evaluate = ({ person, attribute }: Target) => answerFor(resolve(attribute), person);
  return { id, key, attributes: namesIn(definition), resolve, evaluate };
}

export const answerFor = (resolved: Resolved, person: string): Answer =>
  typeof resolved === 'function' ? resolved(person) : resolved;
