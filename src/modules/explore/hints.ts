import type { AppContext } from '../../context.ts';
import { parseDimension } from '../../query/selection/dimension.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { toFilters, neverSentHint, type QueriedName } from '../events/index.ts';
import { forecastSeries } from './forecast.ts';
import type { LifecycleQuery, LifecycleReport } from './lifecycle.model.ts';
import { lifecycleReport } from './lifecycle.ts';
import type { PathsQuery, PathsReport } from './paths.model.ts';
import { pathsReport } from './paths.ts';
import { type EventProperties, eventProperties, type PropertiesQuery } from './properties.ts';
import type { RetentionQuery, RetentionReport } from './retention.model.ts';
import { retentionReport } from './retention.ts';
import type { EventSeries, SeriesQuery } from './series.model.ts';
import { eventSeries, parseNames } from './series.ts';

type Needs = 'clock' | 'log' | 'queries' | 'sql';

const UNKNOWN = 'unknown';

const isEmpty = (points: EventSeries['points']): boolean =>
  points.every(({ events }) => events === 0);

/** Only names without events can be names that were never sent. */
function namesNotFoundInSeries(query: SeriesQuery, { series, points }: EventSeries): QueriedName[] {
  const names = parseNames(query.names);
  const { property } = toFilters(query);
  const by = query.breakdown === undefined ? null : parseDimension(query.breakdown);
  const nobodySaid = series.every(({ key }) => key === UNKNOWN);
  const events = names ?? [null];
  return [
    ...(names ?? [])
      .filter((name) =>
        isEmpty(by ? points : (series.find(({ key }) => key === name)?.points ?? [])),
      )
      .map((event) => ({ event })),
    ...(property && isEmpty(points) ? events.map((event) => ({ event, ...property })) : []),
    ...(by?.kind === 'prop' && nobodySaid ? events.map((event) => ({ event, prop: by.prop })) : []),
  ];
}

export async function hintedSeries(
  ctx: AppContext<Needs>,
  query: SeriesQuery,
): Promise<EventSeries> {
  const report = await eventSeries(ctx, query);
  const notFound = namesNotFoundInSeries(query, report);
  const forecast = await forecastSeries(ctx, query, report);
  const hint = await neverSentHint(ctx, notFound, report.environment);
  return { ...report, ...(forecast && { forecast }), ...hint };
}

export async function hintedRetention(
  ctx: AppContext<Needs>,
  query: RetentionQuery,
): Promise<RetentionReport> {
  const report = await retentionReport(ctx, query);
  const { startName, returnName } = query;
  const cells = report.cohorts.flatMap(({ periods }) => periods);
  const nobodyReturned = cells.every((cell) => cell === null || !cell.returned);
  const notFound = [
    ...(startName !== undefined && report.people === 0 ? [{ event: startName }] : []),
    ...(returnName !== undefined && nobodyReturned ? [{ event: returnName }] : []),
  ];
  return { ...report, ...(await neverSentHint(ctx, notFound, report.environment)) };
}

export async function hintedLifecycle(
  ctx: AppContext<Needs>,
  query: LifecycleQuery,
): Promise<LifecycleReport> {
  const report = await lifecycleReport(ctx, query);
  const { name = null } = query;
  const { property } = toFilters(query);
  const notFound = name === null && !property ? [] : [{ event: name, ...property }];
  const hint = report.people === 0 ? await neverSentHint(ctx, notFound, report.environment) : {};
  return { ...report, ...hint };
}

export async function hintedPaths(ctx: AppContext<Needs>, query: PathsQuery): Promise<PathsReport> {
  const report = await pathsReport(ctx, query);
  const notFound = [{ event: query.name, ...toFilters(query).property }];
  const hint = report.people === 0 ? await neverSentHint(ctx, notFound, report.environment) : {};
  return { ...report, ...hint };
}

export async function hintedProperties(
  ctx: AppContext<Needs>,
  query: PropertiesQuery,
): Promise<EventProperties> {
  const found = await eventProperties(ctx, query);
  const notFound = found.events === 0 ? [{ event: query.name }] : [];
  const { environment = DEFAULT_SCOPE } = query;
  return { ...found, ...(await neverSentHint(ctx, notFound, environment)) };
}
