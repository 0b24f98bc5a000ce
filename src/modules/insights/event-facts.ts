import type { AppContext } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { readIngestion, summariseEvents } from '../events/index.ts';
import type { Facts } from './facts.ts';

const DAYS_READ = 8;

/** Recent volume of events, and how many people have each event. */
export async function readEventFacts(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  days: number,
): Promise<Facts['events']> {
  const [summary, { hours }] = await Promise.all([
    summariseEvents(ctx, { days }),
    readIngestion(ctx, { days: DAYS_READ }),
  ]);
  const dayAgo = ctx.deps.clock().getTime() - DAY_MS;
  const count = (recent: boolean) =>
    hours
      .filter(({ hour }) => new Date(hour).getTime() >= dayAgo === recent)
      .reduce((sum, { accepted }) => sum + accepted, 0);
  return {
    lastDay: count(true),
    weekBefore: count(false),
    lastEventAt: summary.lastEventAt === null ? null : new Date(summary.lastEventAt),
    people: new Map(summary.names.map(({ name, people }) => [name, people])),
  };
}
