import type { Deps } from '../../context.ts';
import {
  type AppAlias,
  findIdentity,
  findUndecidedIds,
  isAnyUserOfOther,
  type PersonIdentity,
} from '../../event-store/people.ts';
import type { AppScope } from '../../shared/app.ts';
import { daysBack } from '../events/index.ts';

type Needed = Pick<Deps, 'clock' | 'queries' | 'sql'>;
type Named = AppScope & { personId: string };

/** Of `ids`, those with events of their own: users who signed in on others' devices only. */
async function findPeople(
  { clock, queries }: Needed,
  scope: AppScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  const beforeUs = daysBack(clock(), 0).beforeMs * 1_000;
  for (let left = [...ids]; left.length > 0; left = left.filter((id) => !people.has(id))) {
    const question = { ...scope, personIds: left, beforeUs, after: null, limit: 1 };
    const { events } = await queries.ask('person', { ...question, environment: 'all' });
    const [first] = events;
    if (!first) break;
    people.add(first.person);
  }
  return people;
}

/** Whether the id of a device is a user's too. */
export const isUser = async (deps: Needed, { personId, ...scope }: Named): Promise<boolean> =>
  (await isAnyUserOfOther(deps.sql, scope, [personId])) ||
  (await findPeople(deps, scope, [personId])).has(personId);

/** Who is named is who is meant, whatever aliases say of the id. */
export async function identify(
  deps: Needed,
  { personId, ...scope }: Named,
  hot: readonly AppAlias[],
): Promise<{ person: PersonIdentity; people: ReadonlySet<string> }> {
  const undecided = await findUndecidedIds(deps.sql, scope, personId, hot);
  const people = await findPeople(deps, scope, undecided);
  return { person: await findIdentity(deps.sql, scope, personId, hot, people), people };
}
