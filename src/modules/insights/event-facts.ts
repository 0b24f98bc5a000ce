import type { AppContext } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { readIngestion, summariseEvents } from '../events/index.ts';
import type { Facts } from './facts.ts';

const DAYS_READ = 15;
const WEEK_MS = 7 * DAY_MS;

export async function readEventFacts(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  days: number,
): Promise<Facts['events']> {
  const [summary, { hours }] = await Promise.all([
    summariseEvents(ctx, { days }),
    readIngestion(ctx, { days: DAYS_READ }),
  ]);
  const nowMs = ctx.deps.clock().getTime();
  const between = (fromMs: number, toMs: number) =>
    hours.filter(({ hour }) => {
      const atMs = new Date(hour).getTime();
      return atMs >= fromMs && atMs < toMs;
    });
  const count = (fromMs: number, toMs: number) =>
    between(fromMs, toMs).reduce((sum, { accepted }) => sum + accepted, 0);
  const dayAgoMs = nowMs - DAY_MS;
  const lastMs = summary.lastEventAt === null ? nowMs : new Date(summary.lastEventAt).getTime();
  return {
    people: summary.people,
    firstEventAt: summary.firstEventAt,
    lastEventAt: summary.lastEventAt,
    lastDay: count(dayAgoMs, nowMs + DAY_MS),
    weekBefore: count(lastMs - WEEK_MS, Math.max(dayAgoMs, lastMs)),
    activeHours: between(lastMs - WEEK_MS, lastMs).filter(({ accepted }) => accepted > 0).length,
    names: new Map(summary.names.map(({ name, people }) => [name, people])),
  };
}
