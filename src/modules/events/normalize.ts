import { parser } from '../../shared/schema.ts';
import type { EventRow } from './columns.ts';
import { eventIdentities } from './identity.ts';
import type { LogRecord } from './log/record.ts';
import { StoredBatch } from './model.ts';
import { eventTimes } from './time-rules.ts';

const batchParser = parser(StoredBatch, 'stored batch');
const decoder = new TextDecoder();

/** An empty string names nobody: it must not join everyone who sent one. */
const orNull = (text: string | undefined): string | null => text || null;

/**
 * The rows of one record of the log: everything that is derived (time, identity, person without the
 * map) comes from the header and the body as received, so compaction and queries cannot disagree.
 * Throws when the body is not a stored batch.
 */
export function normalizeBatch({ header, body }: LogRecord): EventRow[] {
  const batch = batchParser.parse(JSON.parse(decoder.decode(body)));
  const times = eventTimes(
    batch.events.map((event) => event.ts),
    header.receivedAt,
  );
  const keys = eventIdentities(header.app, batch);
  const context = batch.context ?? {};
  const shared = {
    orgId: header.org,
    appId: header.app,
    receivedAtUs: header.receivedAt * 1_000,
    arrival: header.arrival,
    platform: context.platform ?? null,
    appVersion: orNull(context.appVersion),
    osVersion: orNull(context.osVersion),
    locale: orNull(context.locale),
    country: context.country ?? null,
  };
  return batch.events.map((event, batchIndex) => {
    const userId = orNull(event.userId);
    const time = times[batchIndex] ?? { occurredAtUs: shared.receivedAtUs, timeFlag: 'no_ts' };
    return {
      ...shared,
      ...time,
      key: keys[batchIndex] ?? null,
      name: event.name,
      batchIndex,
      personId: userId ?? event.anonymousId,
      anonymousId: event.anonymousId,
      userId,
      sessionId: orNull(event.sessionId),
      clientTs: event.ts ?? null,
      props: event.props === undefined ? null : JSON.stringify(event.props),
      eventId: event.id ?? null,
    };
  });
}
