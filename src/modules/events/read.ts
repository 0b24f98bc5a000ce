import { Type } from '@sinclair/typebox';
import type { AppContext } from '../../context.ts';
import {
  IGNORED_ID,
  selectIngestionHours,
  selectRejections,
  foldCountry,
} from '../../event-store/append.ts';
import type { StoredEvent } from '../../query/events/model.ts';
import type { EventFilters } from '../../query/selection/filters.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { FILTER_FIELDS } from '../../shared/event-fields.ts';
import { parser } from '../../shared/schema.ts';
import { microsToIso, toIso } from '../../shared/time.ts';
import { daysBack } from './days-back.ts';
import { PLATFORMS, STANDARD_EVENT_NAMES } from './model.ts';
import { selectSentNames } from './names/queries.ts';
import * as model from './read.model.ts';

function parseProperty(text: string) {
  const end = text.indexOf('=');
  return { prop: text.slice(0, end), equals: text.slice(end + 1) };
}

export function toFilters({ property, ...parameters }: model.FilterParameters): EventFilters {
  const filters: EventFilters = {};
  for (const field of FILTER_FIELDS) {
    const value = parameters[field];
    if (value !== undefined) filters[field] = field === 'country' ? foldCountry(value) : value;
  }
  return property === undefined ? filters : { ...filters, property: parseProperty(property) };
}

const propsParser = parser(Type.Record(Type.String(), Type.Unknown()), 'stored props');

export function toRecentEvent(stored: StoredEvent): model.RecentEvent {
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

export async function recentEvents(
  { deps, orgId, app, signal }: AppContext<'clock' | 'queries'>,
  query: model.RecentQuery,
): Promise<model.RecentEvent[]> {
  const { beforeMs } = daysBack(deps.clock(), 0);
  const { limit = model.MAX_RECENT_EVENTS, environment = DEFAULT_SCOPE, name, personId } = query;
  const { events } = await deps.queries.ask(
    'recent',
    {
      orgId,
      appId: app.id,
      beforeUs: beforeMs * 1_000,
      limit,
      environment,
      ...(name !== undefined && { name }),
      ...(personId !== undefined && { personId }),
      filters: toFilters(query),
    },
    { signal },
  );
  return events.map(toRecentEvent);
}

export async function summariseEvents(
  { deps, orgId, app, signal }: AppContext<'clock' | 'queries'>,
  { days = model.DEFAULT_SUMMARY_DAYS, environment = DEFAULT_SCOPE }: model.SummaryQuery,
): Promise<model.EventSummary> {
  const now = deps.clock();
  const { fromMs, beforeMs } = daysBack(now, days);
  const { people, events, firstAtUs, lastAtUs, names, platforms, versions } =
    await deps.queries.ask(
      'summary',
      {
        orgId,
        appId: app.id,
        fromUs: fromMs * 1_000,
        beforeUs: beforeMs * 1_000,
        environment,
        limit: model.MAX_SUMMARY_ENTRIES,
      },
      { signal },
    );
  // Caps events of fast clocks: no time in the future.
  const isoUntilNow = (us: number | null) =>
    us === null ? null : microsToIso(Math.min(us, now.getTime() * 1_000));
  return {
    window: { from: toIso(new Date(fromMs)), to: toIso(now) },
    people,
    events,
    firstEventAt: isoUntilNow(firstAtUs),
    lastEventAt: isoUntilNow(lastAtUs),
    names: names.map(({ value, ...counts }) => ({
      name: value,
      ...counts,
      standard: STANDARD_EVENT_NAMES.includes(value),
    })),
    platforms: platforms.map(({ value, people: ofPlatform }) => ({
      platform: PLATFORMS.find((platform) => platform === value) ?? 'other',
      people: ofPlatform,
    })),
    versions: versions.map(({ value, people: ofVersion }) => ({
      appVersion: value,
      people: ofVersion,
    })),
  };
}

export async function readIngestion(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  { days = model.DEFAULT_INGESTION_DAYS, environment = DEFAULT_SCOPE }: model.IngestionQuery,
): Promise<model.Ingestion> {
  const since = new Date(daysBack(deps.clock(), days).fromMs);
  const scope = { orgId, appId: app.id, environment };
  const [hours, noted, names] = await Promise.all([
    selectIngestionHours(deps.sql, scope, since),
    selectRejections(deps.sql, scope, since),
    selectSentNames(deps.sql, scope),
  ]);
  const ignoredIds = (['userId', 'anonymousId'] as const).flatMap((field) =>
    noted
      .filter(({ reason }) => reason === `${IGNORED_ID}${field}`)
      .map(({ batches, lastAt, lastExample }) => ({ field, events: batches, lastAt, lastExample })),
  );
  const rejected = noted.filter(({ reason }) => !reason.startsWith(IGNORED_ID));
  return { hours, rejected, ignoredIds, names };
}
