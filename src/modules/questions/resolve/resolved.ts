import type { AppContext } from '../../../context.ts';
import type { QueryKind, QuestionOf } from '../../../query/kinds.ts';
import { type Conditions, membersIn, membershipKey } from '../../../query/selection/conditions.ts';
import type { Membership } from '../../../query/selection/segment-rules.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';

export type Experiment = {
  id: string;
  startedAt: string;
  arms: readonly { id: string; name: string }[];
};

/** All that a kind needs for its question to a query process. */
export type Resolved<Q> = {
  question: Q;
  memberships: readonly Membership[];
  /** The one that runs, or ran last; looked for where a breakdown is by arm. */
  experiment: Experiment | null;
  now: Date;
  timezone: string;
  environment: EnvironmentScope;
};

/** With the memberships that these conditions name. */
export function inApp(
  { orgId, app }: AppContext<never>,
  { environment, memberships }: Pick<Resolved<unknown>, 'environment' | 'memberships'>,
  selections: readonly { where?: Conditions | undefined }[],
) {
  const members = selections.flatMap(({ where }) => (where ? membersIn(where) : []));
  const named = new Set(members.map(membershipKey));
  const own = memberships.filter(({ id }) => named.has(id));
  return { orgId, appId: app.id, environment, ...(own.length > 0 && { memberships: own }) };
}

export const ofSelection = (
  ctx: AppContext<never>,
  resolved: Resolved<unknown>,
  { events = null, where }: { events?: string[] | null; where?: Conditions | undefined },
) => ({
  ...inApp(ctx, resolved, [{ where }]),
  ...{ names: events, filters: {}, ...(where && { where }) },
});

export const ask = <K extends QueryKind>(
  { deps, signal }: AppContext<'queries'>,
  kind: K,
  question: QuestionOf<K>,
) => deps.queries.ask(kind, question, { signal });
