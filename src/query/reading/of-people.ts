import { hasPerson } from './projection/has-person.ts';
import { type EventSource, type Events, selectEvents } from './source/events.ts';

function findIds({ lateAliases }: EventSource, personIds: readonly string[]): string[] {
  const wanted = new Set(personIds);
  const devices = lateAliases.filter(({ userId }) => wanted.has(userId));
  return [...new Set([...personIds, ...devices.map(({ anonymousId }) => anonymousId)])];
}

/** Without files, log rows and aliases that cannot be of these people. */
export function ofPeople({ source, selection }: Events, people: readonly string[]): Events {
  const personIds = findIds(source, people);
  const some = {
    ...source,
    files: source.files.filter(
      ({ projection }) => projection === null || hasPerson(projection, personIds),
    ),
    hotRows: source.hotRows.filter(({ personId }) => personIds.includes(personId)),
    lateAliases: source.lateAliases.filter(({ anonymousId }) => personIds.includes(anonymousId)),
  };
  return selectEvents(some, { ...selection, personIds });
}
