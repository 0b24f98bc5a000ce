import { Type } from '@sinclair/typebox';
import type { AppContext } from '../../context.ts';
import type { RecentAnswer } from '../../query/recent/model.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { parser } from '../../shared/schema.ts';
import { daysBack } from './days-back.ts';
import { MAX_RECENT_EVENTS, type RecentEvent, type RecentQuery } from './read.model.ts';

const propsParser = parser(Type.Record(Type.String(), Type.Unknown()), 'stored props');

import { microsToIso } from '../../shared/time.ts';

export function toRecentEvent(stored: RecentAnswer['events'][number]): RecentEvent {
  const { occurredAtUs, receivedAtUs, person, clientTs, props, eventId, ...asStored } = stored;
  return {
    ...asStored,
    occurredAt: microsToIso(occurredAtUs),
    receivedAt: microsToIso(receivedAtUs),
    ts: clientTs,
    personId: person,
    props: props === null ? null : propsParser.parse(JSON.parse(props)),
    id: eventId,
  };
}

/** The events received last, as they are stored; the last one first. */
export async function recentEvents(
  { deps, orgId, app }: AppContext,
  { limit = MAX_RECENT_EVENTS, environment = DEFAULT_SCOPE }: RecentQuery,
): Promise<RecentEvent[]> {
  const { beforeMs } = daysBack(deps.clock(), 0);
  const question = { orgId, appId: app.id, beforeUs: beforeMs * 1_000, limit, environment };
  const { events } = await deps.queries.recent(question);
  return events.map(toRecentEvent);
}
