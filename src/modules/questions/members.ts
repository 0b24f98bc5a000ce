import type { AppContext } from '../../context.ts';
import type { AskQueries } from '../../query/client.ts';
import { MemberCondition, membershipKey } from '../../query/selection/conditions.ts';
import type { Membership } from '../../query/selection/segment-rules.ts';
import { parser } from '../../shared/schema.ts';
import { type NamedMember, resolveMembers } from '../segments/index.ts';
import { segmentsApart } from './by-segments.ts';
import type { Question } from './model.ts';

const memberCondition = parser(MemberCondition, 'condition on a person');

export function membersNamed(part: unknown, place = ''): NamedMember[] {
  if (typeof part !== 'object' || part === null) return [];
  if (memberCondition.check(part)) return [{ place, condition: part }];
  const isList = Array.isArray(part);
  return Object.entries(part).flatMap(([name, inner]) => {
    if (isList) return membersNamed(inner, `${place}[${name}]`);
    return membersNamed(inner, place === '' ? name : `${place}.${name}`);
  });
}

export const segmentsNamed = (question: Question): NamedMember[] => [
  ...membersNamed(question, 'question'),
  ...segmentsApart(question, 'question.'),
];

/** Each question is told of the memberships that it names. */
const withMemberships = (queries: AskQueries, all: readonly Membership[]): AskQueries => ({
  ask: (kind, question, options) => {
    const named = new Set(membersNamed(question).map(({ condition }) => membershipKey(condition)));
    const memberships = all.filter(({ id }) => named.has(id));
    return queries.ask(
      kind,
      memberships.length > 0 ? { ...question, memberships } : question,
      options,
    );
  },
});

type Asking = AppContext<'clock' | 'purchaseProfiles' | 'queries' | 'sql'>;

export async function withSegments<C extends Asking>(
  ctx: C,
  question: Question,
  others: readonly Membership[],
): Promise<C> {
  const isOther = ({ condition }: NamedMember) => others.some(({ id }) => id === condition.segment);
  const named = [...membersNamed(question), ...segmentsApart(question)].filter(
    (one) => !isOther(one),
  );
  if (named.length + others.length === 0) return ctx;
  const memberships = named.length === 0 ? [] : await resolveMembers(ctx, named);
  const queries = withMemberships(ctx.deps.queries, [...memberships, ...others]);
  return { ...ctx, deps: { ...ctx.deps, queries } };
}
