import type { AppContext } from '../../context.ts';
import type { SearchAnswer } from '../../query/events/model.ts';
import { microsToIso } from '../../shared/time.ts';
import { daysBack } from '../events/index.ts';
import { type CustomerContext, customerStates } from '../purchases/index.ts';
import {
  type DescribeBody,
  type DescribedPeople,
  type FoundPeople,
  MAX_FOUND_PEOPLE,
  type SearchQuery,
} from './model.ts';

type Asking = AppContext<'clock' | 'queries'>;
type Found = SearchAnswer['people'][number];
type Searched = { prefix: string } | { personIds: string[] };

const find = ({ deps, orgId, app, signal }: Asking, searched: Searched, limit: number) =>
  deps.queries.ask(
    'people-search',
    {
      ...{ orgId, appId: app.id, ...searched, limit },
      beforeUs: daysBack(deps.clock(), 0).beforeMs * 1_000,
      environment: 'all',
    },
    { signal },
  );

export async function searchPeople(ctx: Asking, { search }: SearchQuery): Promise<FoundPeople> {
  const { people, hasMore } = await find(ctx, { prefix: search }, MAX_FOUND_PEOPLE);
  return {
    people: people.map(({ firstAtUs, lastAtUs, ...person }) => ({
      ...person,
      firstEventAt: microsToIso(firstAtUs),
      lastEventAt: microsToIso(lastAtUs),
    })),
    hasMore,
  };
}

const toFacts = ({ firstAtUs, lastAtUs, platform, appVersion, country }: Found) => ({
  ...{ firstEventAt: microsToIso(firstAtUs), lastEventAt: microsToIso(lastAtUs) },
  ...{ platform, appVersion, country },
});
const NO_EVENTS = {
  ...{ firstEventAt: null, lastEventAt: null },
  ...{ platform: null, appVersion: null, country: null },
};
const NO_PURCHASES = { productId: null, code: 'nothing_bought' as const };

export async function describePeople(
  ctx: Asking & CustomerContext,
  { personIds }: DescribeBody,
): Promise<DescribedPeople> {
  const [{ people }, states] = await Promise.all([
    find(ctx, { personIds }, personIds.length),
    customerStates(ctx, personIds),
  ]);
  const known = new Map(people.map((person) => [person.personId, toFacts(person)]));
  return {
    people: personIds.map((personId) => {
      const { productId, code } = states.get(personId) ?? NO_PURCHASES;
      return { personId, ...(known.get(personId) ?? NO_EVENTS), productId, state: code };
    }),
  };
}
