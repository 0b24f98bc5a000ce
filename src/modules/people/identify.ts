import type { Deps } from '../../context.ts';
import * as eventStore from '../../event-store/people.ts';
import { spellingsOf } from '../../shared/account-token.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { daysBack } from '../events/index.ts';

const WAIT = { startWaitMs: SECOND_MS };

type Needed = Pick<Deps, 'clock' | 'queries' | 'sql'>;
type Named = AppScope & { personId: string };

/** Ids with events of their own, also from devices of others. */
async function findPeople(
  { clock, queries }: Needed,
  scope: AppScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  const beforeUs = daysBack(clock(), 0).beforeMs * 1_000;
  for (let left = [...ids]; left.length > 0; left = left.filter((id) => !people.has(id))) {
    const question = { ...scope, personIds: left, beforeUs, after: null, limit: 1 };
    const { events } = await queries.ask('person', { ...question, environment: 'all' }, WAIT);
    const [first] = events;
    if (!first) break;
    people.add(first.person);
  }
  return people;
}

/** None while events cannot be asked: the catalogue alone decides then. */
async function findPeopleIfAnswered(...asked: Parameters<typeof findPeople>) {
  try {
    return await findPeople(...asked);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') return new Set<string>();
    throw thrown;
  }
}

export async function isUser(deps: Needed, { personId, ...scope }: Named): Promise<boolean> {
  const ids = spellingsOf(personId);
  if (await eventStore.isAnyUserOfOther(deps.sql, scope, ids)) return true;
  return (await findPeopleIfAnswered(deps, scope, ids)).size > 0;
}

/** An id with its own events is a person despite an alias. Throws `unavailable` where events decide. */
export async function identify(
  deps: Needed,
  { personId, ...scope }: Named,
  hot: readonly eventStore.AppAlias[],
): Promise<{ person: eventStore.PersonIdentity; people: ReadonlySet<string> }> {
  const undecided = await eventStore.findUndecidedIds(deps.sql, scope, personId, hot);
  const isNamed = (id: string) => id === personId;
  const people = new Set([
    ...(await findPeople(deps, scope, undecided.filter(isNamed))),
    ...(await findPeopleIfAnswered(
      deps,
      scope,
      undecided.filter((id) => !isNamed(id)),
    )),
  ]);
  return { person: await eventStore.findIdentity(deps.sql, scope, personId, hot, people), people };
}
