import type { SystemContext } from '../../../../context.ts';
import type { QuestionOf } from '../../../../query/kinds.ts';
import type { AppScope } from '../../../../shared/app.ts';

const PAGE = 1_000;
const MAX_PAGES = 50;

export type UsesOf = { personIds: readonly string[]; eventName: string; since: Date };

/** Events of that name since the purchase. */
export async function countUses(
  { deps }: SystemContext<'clock' | 'queries'>,
  { orgId, appId }: AppScope,
  { personIds, eventName, since }: UsesOf,
): Promise<number> {
  if (personIds.length === 0) return 0;
  const question = {
    ...{ orgId, appId, personIds: [...personIds], environment: 'all' as const, limit: PAGE },
    beforeUs: deps.clock().getTime() * 1_000,
  };
  const sinceUs = since.getTime() * 1_000;
  let uses = 0;
  let after: QuestionOf<'person'>['after'] = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked: QuestionOf<'person'> = { ...question, after };
    const { events } = await deps.queries.ask('person', asked);
    uses += events.filter(
      ({ name, occurredAtUs }) => name === eventName && occurredAtUs >= sinceUs,
    ).length;
    const last = events.at(-1);
    if (events.length < PAGE || !last) break;
    after = { arrival: last.arrival, batchIndex: last.batchIndex };
  }
  return uses;
}
