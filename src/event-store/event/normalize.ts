import { parser } from '../../shared/schema.ts';
import type { LogRecord } from '../log/record.ts';
import type { EventRow } from './columns.ts';
import { foldCountry } from './columns.ts';
import { eventIdentities } from './identity.ts';
import { StoredBatch } from './stored-batch.ts';
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
  const { platform, appVersion, osVersion, locale, country } = batch.context ?? {};
  // `de` is Germany too. Only here: the identity is made of what was sent.
  const foldedCountry = country === undefined ? null : foldCountry(country);
  const environment = header.environment ?? 'production';
  const receivedAtUs = header.receivedAt * 1_000;
  // Written out field by field: this runs for every event, and spreading doubles its time.
  return batch.events.map((event, batchIndex) => {
    // Half a surrogate pair comes back from any database as another character.
    const userId = orNull(event.userId?.toWellFormed());
    const anonymousId = event.anonymousId.toWellFormed();
    const time = times[batchIndex];
    return {
      orgId: header.org,
      appId: header.app,
      key: keys[batchIndex] ?? null,
      name: event.name,
      occurredAtUs: time?.occurredAtUs ?? receivedAtUs,
      receivedAtUs,
      arrival: header.arrival,
      batchIndex,
      personId: userId ?? anonymousId,
      anonymousId,
      userId,
      sessionId: orNull(event.sessionId),
      clientTs: event.ts ?? null,
      timeFlag: time ? time.timeFlag : 'no_ts',
      platform: platform ?? null,
      appVersion: orNull(appVersion),
      osVersion: orNull(osVersion),
      locale: orNull(locale),
      country: foldedCountry,
      props: event.props === undefined ? null : JSON.stringify(event.props),
      eventId: event.id ?? null,
      environment,
    };
  });
}
