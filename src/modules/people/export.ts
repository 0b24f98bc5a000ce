import type { AppContext } from '../../context.ts';
import { anonymousIdsOf } from '../../event-store/append.ts';
import { at } from '../../shared/assert.ts';
import { daysBack, toRecentEvent } from '../events/index.ts';
import { MAX_PERSON_EVENTS, type PersonExport, type PersonQuery } from './model.ts';

export type ExportInput = { personId: string; query: PersonQuery };

function cursorOf(text: string | undefined) {
  if (text === undefined) return null;
  const parts = text.split('-').map(Number);
  return { arrival: at(parts, 0), batchIndex: at(parts, 1) };
}

/** Everything stored about a person, a page at a time; empty for an unknown id. */
export async function exportPerson(
  { deps, orgId, app, signal }: AppContext<'clock' | 'queries' | 'sql'>,
  { personId, query }: ExportInput,
): Promise<PersonExport> {
  const limit = query.limit ?? MAX_PERSON_EVENTS;
  const { beforeMs } = daysBack(deps.clock(), 0);
  const { events } = await deps.queries.ask(
    'person',
    {
      orgId,
      appId: app.id,
      personId,
      beforeUs: beforeMs * 1_000,
      environment: 'all',
      after: cursorOf(query.cursor),
      limit,
    },
    { signal },
  );
  const last = events.at(-1);
  return {
    personId,
    anonymousIds: await anonymousIdsOf(deps.sql, { orgId, appId: app.id }, personId),
    events: events.map(({ arrival: _, batchIndex: __, ...event }) => toRecentEvent(event)),
    nextCursor: last && events.length === limit ? `${last.arrival}-${last.batchIndex}` : null,
  };
}
