import type { AppContext } from '../../../context.ts';
import type { PageOfPeople } from '../../../query/selection/people-page.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { cursorAfter, decodeCursor } from '../../../shared/person-cursor.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { microsToIso } from '../../../shared/time.ts';
import { DEFAULT_PAGE } from '../resolve/parameters.model.ts';
import { ask } from '../resolve/resolved.ts';
import type { PeoplePage } from './answer.model.ts';
import type { PlannedFunnel } from './plan.ts';
import type { PeopleQuery } from './question.ts';
import { forecastEntrants, planStoredFunnel } from './report.ts';

export const askFunnelPeople = (
  ctx: AppContext<'queries'>,
  { rules }: PlannedFunnel,
  figure: PageOfPeople & { step: number; dropped: boolean },
) => ask(ctx, 'funnel-people', { ...rules, ...figure });

export async function listFunnelPeople(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  { funnelId, query }: { funnelId: string; query: PeopleQuery },
): Promise<PeoplePage> {
  const { step, dropped = false, cursor, limit = DEFAULT_PAGE, ...asked } = query;
  const after = decodeCursor(cursor);
  const stored = await planStoredFunnel(ctx, funnelId, asked);
  const { length } = stored.funnel.steps;
  if (step > length) throw invalidInput('step', `must be one of the ${length} steps of the funnel`);
  const page = { step, dropped, after, limit };
  const { entered, people, hasMore } = await askFunnelPeople(ctx, stored.planned, page);
  const forecast = await forecastEntrants(ctx, stored, entered);
  if (forecast) {
    throw new AppError('conflict', 'Too few people entered this funnel to list them.', {
      hint: `At least ${MINIMUM_PEOPLE} people in step 1 are needed. ${forecast.text}`,
    });
  }
  return {
    people: people.map(({ personId, reachedAtUs }) => ({
      personId,
      reachedAt: microsToIso(reachedAtUs),
    })),
    nextCursor: cursorAfter(people.at(-1)?.personId, hasMore),
  };
}
