import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  type Condition,
  type Conditions,
  listConditions,
  type MemberCondition,
  membersIn,
  toPropertyName,
  readItem,
} from '../../query/selection/conditions.ts';
import { must } from '../../shared/assert.ts';
import { foldCountry } from '../../event-store/append.ts';
import {
  armEnds,
  BUCKETS,
  type Person,
  createPerson,
  type ServedExperiment,
  hashSeed,
} from '../experiments/index.ts';
import { type Answer, createWrite, type Pick, type Write } from './answers.ts';
import { type Draw, firstOf, NOBODY, placeOf } from './draws.ts';
import { armPick } from './experiment-rule.ts';
import type { FlagDefinition, FlagRule } from './model.ts';
import type { Attribute } from './ofrep.model.ts';

export type Target = { person: string; attribute: (name: string) => Attribute };

type Test = (attribute: Target['attribute']) => boolean;

export type Question = { name: string; key: string; holds: (value: Attribute) => boolean };

export type CompiledFlag = {
  id: string;
  key: string;
  /** The rest of a context changes nothing. */
  questions: readonly Question[];
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

function questionOf(condition: Condition): Question {
  const { field } = condition;
  const isCountry = field === 'country';
  // A device that cannot say sends an empty text, as in events.
  const emptyIsMissing = toPropertyName(field) === null;
  return {
    name: toPropertyName(field) ?? field,
    key: JSON.stringify(condition),
    holds: (value) => {
      if (value === '' && emptyIsMissing) return holdsFor(condition, null);
      return holdsFor(
        condition,
        isCountry && typeof value === 'string' ? foldCountry(value) : value,
      );
    },
  };
}

const questionOfMember = ({ segment }: MemberCondition): Question => ({
  name: memberAttribute(segment),
  key: segment,
  holds: (value) => value === true,
});

function testOf(condition: Condition): Test {
  const { name, holds } = questionOf(condition);
  const remembers = remembered(holds);
  return (attribute) => remembers(attribute(name));
}

const testsOf = (where: Conditions): Test =>
  readItem<Test>(where, {
    one: testOf,
    member: (condition) => {
      const { name, holds } = questionOfMember(condition);
      return (attribute) => holds(attribute(name)) === condition.is;
    },
    all: (tests) => (attribute) => tests.every((test) => test(attribute)),
    any: (tests) => (attribute) => tests.some((test) => test(attribute)),
  });

/** What is left once the attributes are known: an answer, or what depends on the person. */
export type Resolved = Answer | Draw<Answer>;
type Attributes = Target['attribute'];

type CompiledRule = { applies: (attribute: Attributes) => boolean; pick: Pick };

const isForAll = (pick: Pick): pick is Answer => 'json' in pick;

const pickFor = (pick: Pick, person: Person): Answer | null =>
  isForAll(pick) ? pick : (pick.answers[placeOf(pick, person)] ?? null);

/** Percent and split have a bucket each: more percent moves nobody to another variant. */
function pickOf({ id, percent, variant, split }: FlagRule, write: Write): Pick {
  const share = percent === undefined ? BUCKETS : Math.round((percent * BUCKETS) / 100);
  const state = hashSeed(id);
  if (variant !== undefined) {
    const answer = write(variant, percent === undefined ? 'TARGETING_MATCH' : 'SPLIT');
    return share >= BUCKETS ? answer : { state, ends: [share], answers: [answer] };
  }
  const parts = must(split, 'a rule has a variant, a split or an experiment');
  const parted = {
    state: hashSeed(`${id}:split`),
    ends: armEnds(parts.map(({ weight }) => weight)),
    answers: parts.map((part) => write(part.variant, 'SPLIT')),
  };
  if (share >= BUCKETS) return parted;
  const place = (person: Person) =>
    person.bucket(state) < share ? placeOf(parted, person) : parted.answers.length;
  return { answers: parted.answers, place };
}

type Source = { id: string; key: string; definition: FlagDefinition };
type Experiments = ReadonlyMap<string, ServedExperiment>;

export const segmentsIn = ({ rules }: FlagDefinition): string[] => [
  ...new Set(
    rules.flatMap(({ where }) => (where ? membersIn(where).map(({ segment }) => segment) : [])),
  ),
];

const questionsIn = (definition: FlagDefinition): Question[] =>
  definition.rules.flatMap(({ where }) =>
    where
      ? [...listConditions(where).map(questionOf), ...membersIn(where).map(questionOfMember)]
      : [],
  );

function compileRule(rule: FlagRule, write: Write, experiments: Experiments): CompiledRule {
  const applies = rule.where ? testsOf(rule.where) : () => true;
  if (rule.variations === undefined) return { applies, pick: pickOf(rule, write) };
  const experiment = experiments.get(rule.experiment ?? '');
  return { applies, pick: experiment ? armPick(experiment, rule.variations, write) : NOBODY };
}

/** The first answer, in the order of the rules. */
function resolvedOf(picks: readonly Pick[], otherwise: Answer): Resolved {
  const last = picks.find(isForAll) ?? otherwise;
  const draws = picks.flatMap((pick) => (isForAll(pick) || pick.answers.length === 0 ? [] : pick));
  return draws.length === 0 ? last : firstOf(draws, last);
}

/** Contexts differ more than the rules that apply in them, and what is shared stays in caches. */
function createResolve(rules: readonly CompiledRule[], otherwise: Answer): CompiledFlag['resolve'] {
  const known = new Map<string, Resolved>();
  return (attribute) => {
    const applying: number[] = [];
    for (const [index, { applies, pick }] of rules.entries()) {
      if (!applies(attribute)) continue;
      applying.push(index);
      if (isForAll(pick)) break;
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

function createEvaluate(
  rules: readonly CompiledRule[],
  otherwise: Answer,
): CompiledFlag['evaluate'] {
  return ({ person, attribute }) => {
    const asked = createPerson(person);
    for (const { applies, pick } of rules) {
      if (!applies(attribute)) continue;
      const answer = pickFor(pick, asked);
      if (answer) return answer;
    }
    return otherwise;
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
    return { id, key, questions: [], resolve: () => answer, evaluate: () => answer };
  }
  const otherwise = write(defaultVariant, rules.length > 0 ? 'UNKNOWN' : 'STATIC');
  const compiled = rules.map((rule) => compileRule(rule, write, experiments));
  const resolve = createResolve(compiled, otherwise);
  const evaluate = createEvaluate(compiled, otherwise);
  return { id, key, questions: questionsIn(definition), resolve, evaluate };
}
