import type { AppContext } from '../../context.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { microsToIso } from '../../shared/time.ts';
import { daysBack } from './days-back.ts';
import { PLATFORMS, STANDARD_EVENT_NAMES } from './model.ts';
import {
  DEFAULT_SUMMARY_DAYS,
  type EventSummary,
  MAX_SUMMARY_ENTRIES,
  type SummaryQuery,
} from './read.model.ts';

/** An event of a fast clock lies ahead by minutes; nothing that was seen is told of the future. */
const toIso = (us: number | null, nowMs: number) =>
  us === null ? null : microsToIso(Math.min(us, nowMs * 1_000));

/** Everything in it is within the window. */
export async function summariseEvents(
  { deps, orgId, app }: AppContext,
  { days = DEFAULT_SUMMARY_DAYS, environment = DEFAULT_SCOPE }: SummaryQuery,
): Promise<EventSummary> {
  const { fromMs, toMs, beforeMs } = daysBack(deps.clock(), days);
  const answer = await deps.queries.summary({
    orgId,
    appId: app.id,
    fromUs: fromMs * 1_000,
    beforeUs: beforeMs * 1_000,
    environment,
    limit: MAX_SUMMARY_ENTRIES,
  });
  return {
    people: answer.people,
    events: answer.events,
    firstEventAt: toIso(answer.firstAtUs, toMs),
    lastEventAt: toIso(answer.lastAtUs, toMs),
    names: answer.names.map(({ value, events, people }) => ({
      name: value,
      events,
      people,
      standard: STANDARD_EVENT_NAMES.includes(value),
    })),
    platforms: answer.platforms.map(({ value, people }) => ({
      platform: PLATFORMS.find((one) => one === value) ?? 'other',
      people,
    })),
    versions: answer.versions.map(({ value, people }) => ({ appVersion: value, people })),
  };
}
