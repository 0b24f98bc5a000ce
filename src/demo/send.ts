import type { OrgContext } from '../context.ts';
import { recordOrigin } from '../event-store/append.ts';
import type { EventBatch } from '../modules/events/model.ts';
import { validateBatch } from '../modules/events/validate.ts';
import { must } from '../shared/assert.ts';
import type { DemoPerson } from './month.ts';

/** Records that share one write of the event log. */
const AT_ONCE = 500;
/** A device sends what was done a little later. */
const SENT_AFTER_MS = 500;

type Sent = { receivedAt: number; batch: EventBatch };

/** What a device would have sent of each session, when it ended. */
function batchesOf({ events, context }: DemoPerson): Sent[] {
  return [...Map.groupBy(events, ({ sessionId }) => sessionId).values()].map((session) => {
    const last = must(session.at(-1)?.ts, 'a session has an event with a time');
    const receivedAt = Date.parse(last) + SENT_AFTER_MS;
    return { receivedAt, batch: { events: session, context } };
  });
}

type Scope = { ctx: OrgContext<'events'>; appId: string; keyId: string };

/**
 * Appends the events of a month to the event log, received when they happened: what is measured
 * within some days of an exposure would be missing if all of it had come today. Returns their number.
 */
export async function recordSessions(
  { ctx, appId, keyId }: Scope,
  people: readonly DemoPerson[],
): Promise<number> {
  const origin = recordOrigin({ orgId: ctx.orgId, appId, keyId, environment: 'production' });
  // In order of receipt, so that what came last is what happened last.
  const sent = people.flatMap(batchesOf).toSorted((a, b) => a.receivedAt - b.receivedAt);
  let events = 0;
  for (let start = 0; start < sent.length; start += AT_ONCE) {
    const some = sent.slice(start, start + AT_ONCE).map(({ receivedAt, batch }) => {
      events += validateBatch(batch).events.length;
      return { ...origin, receivedAt, body: Buffer.from(JSON.stringify(batch)) };
    });
    await Promise.all(some.map((record) => ctx.deps.events.append(record)));
  }
  return events;
}
