import type { AppContext } from '../../context.ts';
import { microsToIso } from '../../shared/time.ts';
import { daysBack } from '../events/index.ts';
import { type FoundPeople, MAX_FOUND_PEOPLE, type SearchQuery } from './model.ts';

export async function searchPeople(
  { deps, orgId, app, signal }: AppContext<'clock' | 'queries'>,
  { search }: SearchQuery,
): Promise<FoundPeople> {
  const { people, hasMore } = await deps.queries.ask(
    'people-search',
    {
      orgId,
      appId: app.id,
      prefix: search,
      beforeUs: daysBack(deps.clock(), 0).beforeMs * 1_000,
      environment: 'all',
      limit: MAX_FOUND_PEOPLE,
    },
    { signal },
  );
  return {
    people: people.map(({ firstAtUs, lastAtUs, ...person }) => ({
      ...person,
      firstEventAt: microsToIso(firstAtUs),
      lastEventAt: microsToIso(lastAtUs),
    })),
    hasMore,
  };
}
