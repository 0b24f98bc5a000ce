import type { OrgContext } from '../context.ts';
import { recordOrigin } from '../event-store/append.ts';
import type { EventBatch } from '../modules/events/model.ts';
import { must } from '../shared/assert.ts';
import type { DemoPerson } from './month.ts';

const AT_ONCE = 500;
const SENT_AFTER_MS = 500;

type Sent = { receivedAt: number; batch: EventBatch };

/** A batch per session, sent at its end. */
function toBatches({ events, context }: DemoPerson): Sent[] {
  return [...Map.groupBy(events, ({ sessionId }) => sessionId).values()].map((session) => {
    const last = must(session.at(-1)?.ts, 'a session has an event with a time');
    const receivedAt = Date.parse(last) + SENT_AFTER_MS;
    return { receivedAt, batch: { events: session, context } };
  });
}

type Scope = { ctx: OrgContext<'events'>; appId: string; keyId: string };

/** To the event log, as received when they happened, for experiments. */
export async function recordSessions(
  { ctx, appId, keyId }: Scope,
  people: readonly DemoPerson[],
): Promise<number> {
  const origin = recordOrigin({ orgId: ctx.orgId, appId, keyId, environment: 'production' });
  const sent = people.flatMap(toBatches).toSorted((a, b) => a.receivedAt - b.receivedAt);
  let events = 0;
  for (let start = 0; start < sent.length; start += AT_ONCE) {
    const some = sent.slice(start, start + AT_ONCE).map(({ receivedAt, batch }) => {
      events += batch.events.length;
      return { ...origin, receivedAt, body: Buffer.from(JSON.stringify(batch)) };
    });
    await Promise.all(some.map((record) => ctx.deps.events.append(record)));
  }
  return events;
}
