import type { AppContext } from '../../context.ts';
import { holdsFor } from '../../query/selection/condition-match.ts';
import * as query from '../../query/selection/conditions.ts';
import type { Membership, SegmentRules } from '../../query/selection/segment-rules.ts';
import { invalidInput } from '../../shared/errors.ts';
import { daysBack } from '../events/index.ts';
import { selectExperiments } from '../experiments/index.ts';
import { resolveMembers } from '../segments/index.ts';
import { mapConditions, placedWheres, segmentsNamed } from './conditions.ts';
import type { Question } from './model.ts';

const MAX_TRAITS = 6;

type Arms = { id: string; exposedFromUs: number; armIds: readonly string[] };

type Found = {
  experiments: readonly Arms[];
  latestId: string | null;
  beforeUs: number;
  memberships: Map<string, Membership>;
};

function addMember(found: Found, rules: SegmentRules, place: string): query.MemberCondition {
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

const conditionValues = (condition: query.Condition) => {
  if (condition.op === 'isOneOf') return condition.values;
  return condition.op === 'is' || condition.op === 'isNot' ? [condition.value] : [];
};

function findExperiment(condition: query.Condition, place: string, found: Found): Arms {
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

function armRules(condition: query.Condition, place: string, found: Found): SegmentRules {
  const { id: experimentId, armIds, exposedFromUs } = findExperiment(condition, place, found);
  // People in no arm match nothing, so negated conditions exclude them.
  const isOfOthers = holdsFor(condition, null);
  const named = armIds.filter((armId) => holdsFor(condition, armId) !== isOfOthers);
  const clauses = named.map((armId) => ({
    kind: 'arm' as const,
    is: !isOfOthers,
    ...{ experimentId, armId, exposedFromUs },
  }));
  return [{ match: isOfOthers ? 'all' : 'any', clauses }];
}

const firstRules = (word: 'all' | 'any', all: readonly query.Condition[]): SegmentRules => {
  const where = all.map((one) => ({ ...one, field: query.toFirstField(one.field) ?? one.field }));
  return [
    {
      match: 'all',
      clauses: [{ kind: 'first', where: word === 'all' ? { all: where } : { any: where } }],
    },
  ];
};

type Group = 'all' | 'any';
type Item = Extract<query.Conditions, { all: unknown }>['all'][number];
type One = query.Condition | query.MemberCondition;

const isFirst = (item: Item): item is query.Condition =>
  'field' in item && query.toFirstField(item.field) !== null;

/** Conditions on first events are one, at the place of each: they are found in one pass. */
function translateOne<I extends Item>(
  item: I,
  [word, items]: readonly [Group, readonly Item[]],
  place: string,
  found: Found,
): I | query.MemberCondition {
  if (!('field' in item) || !query.isTraitField(item.field)) return item;
  const rules = query.isArmField(item.field)
    ? armRules(item, place, found)
    : firstRules(word, items.filter(isFirst));
  return addMember(found, rules, place);
}

function translate(where: query.Conditions, place: string, found: Found): query.Conditions {
  const ones = (word: Group, items: readonly One[], own: string): One[] =>
    items.map((one, index) => translateOne(one, [word, items], `${own}.${word}[${index}]`, found));
  const each = (word: Group, items: readonly Item[]): Item[] =>
    items.map((item, index) => {
      const own = `${place}.${word}[${index}]`;
      if ('all' in item) return { all: ones('all', item.all, own) };
      if ('any' in item) return { any: ones('any', item.any, own) };
      return translateOne(item, [word, items], own, found);
    });
  return 'all' in where ? { all: each('all', where.all) } : { any: each('any', where.any) };
}

async function selectExperimentArms({ deps, scope }: AppContext<'sql'>): Promise<Arms[]> {
  const all = await selectExperiments(deps.sql, scope);
  return all.flatMap(({ id, startedAt, arms }) =>
    startedAt === null
      ? []
      : [{ id, exposedFromUs: Date.parse(startedAt) * 1_000, armIds: arms.map((arm) => arm.id) }],
  );
}

async function withoutTraits(
  ctx: AppContext<'clock' | 'latestExperiment' | 'sql'>,
  question: Question,
): Promise<PeopleResolved> {
  const fields = placedWheres(question).flatMap(({ where }) => query.listConditions(where));
  if (!fields.some(({ field }) => query.isTraitField(field))) return { question, memberships: [] };
  const { deps, scope } = ctx;
  const latest = await deps.latestExperiment(scope);
  const found: Found = {
    experiments: await selectExperimentArms(ctx),
    latestId: latest?.id ?? null,
    beforeUs: daysBack(deps.clock(), 0).beforeMs * 1_000,
    memberships: new Map(),
  };
  const translated = mapConditions(question, (where, place) => translate(where, place, found));
  return { question: translated, memberships: [...found.memberships.values()] };
}

type PeopleResolved = { question: Question; memberships: Membership[] };

/** Conditions on people, as memberships. */
export async function resolvePeople(
  ctx: AppContext<'clock' | 'latestExperiment' | 'purchaseProfiles' | 'queries' | 'sql'>,
  asked: Question,
): Promise<PeopleResolved> {
  const named = segmentsNamed(asked);
  const { question, memberships } = await withoutTraits(ctx, asked);
  if (named.length === 0) return { question, memberships };
  return { question, memberships: [...(await resolveMembers(ctx, named)), ...memberships] };
}
