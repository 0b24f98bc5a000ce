import { api, orNull } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';

type Exported = Awaited<ReturnType<typeof api.exportPerson>>;
export type Person = Omit<Exported, 'nextCursor'> & { isWhole: boolean };
export type Event = Exported['events'][number];
export type Customer = Awaited<ReturnType<typeof api.getPurchaseCustomer>>;

/** Pages of a thousand events that are drawn; the export has all. */
const DRAWN_PAGES = 5;

/** The devices mapped to a user, and those that their events name and that are mapped soon. */
function devicesOf({ personId, anonymousIds }: Exported, events: readonly Event[]): string[] {
  const named = events.map(({ anonymousId }) => anonymousId);
  return [...new Set([...anonymousIds, ...named])].filter((id) => id !== personId).toSorted();
}

/** A person's events from the first on, over at most so many pages. */
export async function readPerson(
  appId: string,
  personId: string,
  { maxPages, signal }: { maxPages: number; signal?: AbortSignal },
): Promise<Person> {
  const events: Event[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const found: Exported = await api.exportPerson(
      { id: appId, personId, query: cursor === null ? {} : { cursor } },
      signal && { signal },
    );
    events.push(...found.events);
    cursor = found.nextCursor;
    if (cursor === null || page + 1 >= maxPages) {
      return { ...found, anonymousIds: devicesOf(found, events), events, isWhole: cursor === null };
    }
  }
}

export const usePerson = (appId: string, personId: string) =>
  useQuestion(`person ${appId} ${personId}`, (signal) =>
    readPerson(appId, personId, { maxPages: DRAWN_PAGES, signal }),
  );

/** Null for who neither bought nor was granted anything. */
export const useCustomer = (appId: string, personId: string) =>
  useQuestion(`customer ${appId} ${personId}`, (signal) =>
    orNull(api.getPurchaseCustomer({ id: appId, customerId: personId }, { signal })),
  );

export const useExperimentNames = (appId: string) =>
  useQuestion(`experiments ${appId}`, (signal) => api.listExperiments({ id: appId }, { signal }))
    .value.answer ?? [];
