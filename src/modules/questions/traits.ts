import type { AppContext } from '../../context.ts';
import { holdsFor } from '../../query/selection/condition-match.ts';
import {
  Condition,
  checkCondition,
  toFirstField,
  isArmField,
  isTraitField,
  type MemberCondition,
} from '../../query/selection/conditions.ts';
import type { Membership, SegmentRules } from '../../query/selection/segment-rules.ts';
import { invalidInput } from '../../shared/errors.ts';
import { parser } from '../../shared/schema.ts';
import { daysBack } from '../events/index.ts';
import { selectExperiments } from '../experiments/index.ts';
import { Question } from './model.ts';

const MAX_TRAITS = 6;

const conditions = parser(Condition, 'condition');
const questions = parser(Question, 'question');

type Arms = { id: string; exposedFromUs: number; armIds: readonly string[] };

type Found = {
  experiments: readonly Arms[];
  latestId: string | null;
  beforeUs: number;
  memberships: Map<string, Membership>;
};

function addMember(found: Found, rules: SegmentRules, place: string): MemberCondition {
  const { memberships, beforeUs } = found;
  const key = JSON.stringify(rules);
  const known = memberships.get(key);
  if (known) return { segment: known.id, is: true };
  if (memberships.size === MAX_TRAITS) {
    throw invalidInput(`${place}.field`, `is one of more than ${MAX_TRAITS} on people`);
  }
  const id = `seg_trait_${memberships.size}`;
  memberships.set(key, { id, asOf: 'now', beforeUs, rules });
  return { segment: id, is: true };
}

const conditionValues = (condition: Condition) => {
  if (condition.op === 'isOneOf') return condition.values;
  return condition.op === 'is' || condition.op === 'isNot' ? [condition.value] : [];
};

function findExperiment(condition: Condition, place: string, found: Found): Arms {
  const { experiments, latestId } = found;
  const values = conditionValues(condition);
  const experiment = experiments.find(({ id, armIds }) =>
    values.length === 0 ? id === latestId : values.every((id) => armIds.some((arm) => arm === id)),
  );
  if (experiment) return experiment;
  if (values.length === 0) throw invalidInput(`${place}.field`, 'needs an experiment that started');
  const member = condition.op === 'isOneOf' ? 'values' : 'value';
  throw invalidInput(`${place}.${member}`, 'must be an arm of an experiment that has started');
}

function armRules(condition: Condition, place: string, found: Found): SegmentRules {
  const { id: experimentId, armIds, exposedFromUs } = findExperiment(condition, place, found);
  // Who is in no arm has none of its values, so that what does not hold for them is left out.
  const isOfOthers = holdsFor(condition, null);
  const named = armIds.filter((armId) => holdsFor(condition, armId) !== isOfOthers);
  const clauses = named.map((armId) => ({
    kind: 'arm' as const,
    is: !isOfOthers,
    ...{ experimentId, armId, exposedFromUs },
  }));
  return [{ match: isOfOthers ? 'all' : 'any', clauses }];
}

const firstRules = (word: 'all' | 'any', all: readonly Condition[]): SegmentRules => {
  const where = all.map((one) => ({ ...one, field: toFirstField(one.field) ?? one.field }));
  return [
    {
      match: 'all',
      clauses: [{ kind: 'first', where: word === 'all' ? { all: where } : { any: where } }],
    },
  ];
};

/** Those on first events are one condition, at the place of each: they are found in one pass. */
function translateList(
  word: 'all' | 'any',
  items: readonly unknown[],
  place: string,
  found: Found,
): unknown[] {
  const firsts = items.flatMap((item) =>
    conditions.check(item) && toFirstField(item.field) !== null ? [item] : [],
  );
  return items.map((item, index) => {
    const own = `${place}[${index}]`;
    if (!conditions.check(item)) return translate(item, own, found);
    if (!isTraitField(item.field)) return item;
    checkCondition(item, own);
    const rules = isArmField(item.field) ? armRules(item, own, found) : firstRules(word, firsts);
    return addMember(found, rules, own);
  });
}

function translate(part: unknown, place: string, found: Found): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) {
    return part.map((inner, index) => translate(inner, `${place}[${index}]`, found));
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]: [string, unknown]) => {
      const own = place === '' ? name : `${place}.${name}`;
      const isList = (name === 'all' || name === 'any') && Array.isArray(inner);
      return [name, isList ? translateList(name, inner, own, found) : translate(inner, own, found)];
    }),
  );
}

const names = (part: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return false;
  if (conditions.check(part)) return isTraitField(part.field);
  return Object.values(part).some(names);
};

async function selectExperimentArms({ deps, orgId, app }: AppContext<'sql'>): Promise<Arms[]> {
  const all = await selectExperiments(deps.sql, { orgId, appId: app.id });
  return all.flatMap(({ id, startedAt, arms }) =>
    startedAt === null
      ? []
      : [{ id, exposedFromUs: Date.parse(startedAt) * 1_000, armIds: arms.map((arm) => arm.id) }],
  );
}

export async function withoutTraits(
  ctx: AppContext<'clock' | 'latestExperiment' | 'sql'>,
  question: Question,
): Promise<{ question: Question; memberships: Membership[] }> {
  if (!names(question)) return { question, memberships: [] };
  const { deps, orgId, app } = ctx;
  const latest = await deps.latestExperiment({ orgId, appId: app.id });
  const found: Found = {
    experiments: await selectExperimentArms(ctx),
    latestId: latest?.id ?? null,
    beforeUs: daysBack(deps.clock(), 0).beforeMs * 1_000,
    memberships: new Map(),
  };
  const translated = questions.parse(translate(question, '', found));
  return { question: translated, memberships: [...found.memberships.values()] };
}
