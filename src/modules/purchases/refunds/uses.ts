import type { SystemContext } from '../../../context.ts';
import type { QuestionOf } from '../../../query/kinds.ts';
import type { AppScope } from '../../../shared/app.ts';

const PAGE = 1_000;
const MAX_PAGES = 50;

export type UsesOf = { personIds: readonly string[]; eventName: string; since: Date };

export async function findUses(
  { deps }: SystemContext<'clock' | 'queries'>,
  { orgId, appId }: AppScope,
  { personIds, eventName, since }: UsesOf,
): Promise<number[]> {
  if (personIds.length === 0) return [];
  const question = {
    ...{ orgId, appId, personIds: [...personIds], environment: 'all' as const, limit: PAGE },
    beforeUs: deps.clock().getTime() * 1_000,
  };
  const sinceUs = since.getTime() * 1_000;
  const uses: number[] = [];
  let after: QuestionOf<'person'>['after'] = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked: QuestionOf<'person'> = { ...question, after };
    const { events } = await deps.queries.ask('person', asked);
    for (const { name, occurredAtUs } of events) {
      if (name === eventName && occurredAtUs >= sinceUs) uses.push(occurredAtUs / 1_000);
    }
    const last = events.at(-1);
    if (events.length < PAGE || !last) break;
    after = { arrival: last.arrival, batchIndex: last.batchIndex };
  }
  return uses.map(Math.floor).toSorted((one, other) => one - other);
}
