import { membershipKey } from '../../query/selection/conditions.ts';
import type { Membership } from '../../query/selection/segment-rules.ts';
import { at } from '../../shared/assert.ts';
import { checkNamed, type NamedMember } from './rules/check-named.ts';
import { type ResolveContext, resolveNow } from './resolve.ts';

export async function resolveMembers(
  ctx: ResolveContext,
  named: readonly NamedMember[],
): Promise<Membership[]> {
  const different = new Map(named.map(({ condition }) => [membershipKey(condition), condition]));
  const { resolved, beforeUs } = await resolveNow(ctx, (segments) => {
    const rules = checkNamed(named, segments);
    return [...different.values()].map(({ segment }) => rules(segment));
  });
  return [...different].map(([id, { asOf = 'now' }], index) => ({
    ...{ id, asOf, beforeUs },
    rules: at(resolved, index),
  }));
}
