import { at } from '../../shared/assert.ts';
import { parseExact } from '../../shared/exact-json.ts';
import { storedIds } from '../../shared/identity.ts';
import { parser } from '../../shared/schema.ts';
import { stringifyWellFormed } from '../../shared/well-formed-json.ts';
import type { LogRecord } from '../log/record.ts';
import { type EventRow, foldCountry } from './columns.ts';
import { eventIdentities } from './identity.ts';
import { HeldBatch, StoredBatch } from './stored-batch.ts';
import { eventTimes } from './time-rules.ts';

const batchParser = parser(StoredBatch, 'stored batch');
const heldParser = parser(HeldBatch, 'stored batch');
const decoder = new TextDecoder();

/** An empty id must not join everyone who sent one. */
const orNull = (text: string | undefined): string | null => text?.toWellFormed() || null;

function parseBatch(json: string): StoredBatch {
  const batch: unknown = JSON.parse(json);
  return heldParser.check(batch) ? batch : batchParser.parse(parseExact(json));
}

/** Throws when the body is not a stored batch. */
export function normalizeBatch({ header, body }: LogRecord): EventRow[] {
  const json = decoder.decode(body);
  const batch = parseBatch(json);
  const stringify = json.includes('\\u') ? stringifyWellFormed : JSON.stringify;
  const times = eventTimes(
    batch.events.map((event) => event.ts),
    header.receivedAt,
  );
  const keys = eventIdentities(header.app, batch);
  const { platform, appVersion, osVersion, locale, country } = batch.context ?? {};
  // After the identities, which use the country as sent.
  const foldedCountry = country
    ? foldCountry(country.toWellFormed())
    : (header.country ?? country ?? null);
  const environment = header.environment ?? 'production';
  const receivedAtUs = header.receivedAt * 1_000;
  // Field by field: spreading doubles the time.
  return batch.events.map((event, batchIndex) => {
    const ids = storedIds(event.anonymousId.toWellFormed(), orNull(event.userId));
    const { occurredAtUs, timeFlag } = at(times, batchIndex);
    return {
      orgId: header.org,
      appId: header.app,
      key: at(keys, batchIndex),
      name: event.name,
      occurredAtUs,
      receivedAtUs,
      arrival: header.arrival,
      batchIndex,
      personId: ids.personId,
      anonymousId: ids.anonymousId,
      userId: ids.userId,
      sessionId: orNull(event.sessionId),
      clientTs: event.ts ?? null,
      timeFlag,
      platform: platform ?? null,
      appVersion: orNull(appVersion),
      osVersion: orNull(osVersion),
      locale: orNull(locale),
      country: foldedCountry,
      props: event.props === undefined ? null : stringify(event.props),
      eventId: event.id ?? null,
      environment,
    };
  });
}
