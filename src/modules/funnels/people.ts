import type { AppContext } from '../../context.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { cursorAfter, decodeCursor } from '../../shared/person-cursor.ts';
import { microsToIso } from '../../shared/time.ts';
import { forecastEntrants } from './forecast.ts';
import { prepareQuestion } from './question.ts';
import { DEFAULT_PEOPLE_PAGE, type PeopleQuery } from './report-query.ts';
import type { PeoplePage } from './rules/report.model.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';

export async function listFunnelPeople(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { funnelId, query }: { funnelId: string; query: PeopleQuery },
): Promise<PeoplePage> {
  const after = decodeCursor(query.cursor);
  const question = await prepareQuestion(ctx, funnelId, query);
  const { funnel, rules } = question;
  if (query.step > funnel.steps.length) {
    throw invalidInput('step', `must be one of the ${funnel.steps.length} steps of the funnel`);
  }
  const answer = await ctx.deps.queries.ask(
    'funnel-people',
    {
      ...rules,
      step: query.step,
      dropped: query.dropped ?? false,
      after,
      limit: query.limit ?? DEFAULT_PEOPLE_PAGE,
    },
    { signal: ctx.signal },
  );
  const forecast = await forecastEntrants(ctx, question, answer.entered);
  if (forecast) {
    throw new AppError('conflict', 'Too few people entered this funnel to list them.', {
      hint: `At least ${MINIMUM_PEOPLE} people in step 1 are needed. ${forecast.text}`,
    });
  }
  return {
    people: answer.people.map(({ personId, reachedAtUs }) => ({
      personId,
      reachedAt: microsToIso(reachedAtUs),
    })),
    nextCursor: cursorAfter(answer.people.at(-1)?.personId, answer.hasMore),
  };
}
