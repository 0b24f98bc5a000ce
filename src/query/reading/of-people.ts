import { type EventSource, type Events, selectEvents } from './events.ts';
import { hasPerson } from './projection/has-person.ts';

/** The ids that rows of people can have, of which some may be of others by now. */
function idsOf({ lateAliases }: EventSource, personIds: readonly string[]): string[] {
  const wanted = new Set(personIds);
  const devices = lateAliases.filter(({ userId }) => wanted.has(userId));
  return [...new Set([...personIds, ...devices.map(({ anonymousId }) => anonymousId)])];
}

/**
 * The rows that can be of these people: without files whose projection says that they have nobody with
 * such an id, without other people's rows of the log, and without other devices' aliases.
 */
export function ofPeople({ source, selection }: Events, people: readonly string[]): Events {
  const personIds = idsOf(source, people);
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
