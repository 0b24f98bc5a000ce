import { api, orNull } from '../../state/api.ts';
import { type Question, useQuery, useQuestion } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';

type Exported = Awaited<ReturnType<typeof api.exportPerson>>;
type Found = Omit<Exported, 'nextCursor'>;
export type Person = Found & { isWhole: boolean };
export type Event = Exported['events'][number];
export type Customer = Awaited<ReturnType<typeof api.getPurchaseCustomer>>;

const DRAWN_PAGES = 5;

const nobody = (personId: string): Exported => ({
  personId,
  anonymousIds: [],
  events: [],
  records: [],
  notSearched: '',
  nextCursor: null,
});

/** Nothing of an unknown id. */
export async function readPerson(
  appId: string,
  personId: string,
  { maxPages, signal }: { maxPages: number; signal?: AbortSignal },
): Promise<Person> {
  const whole: Pick<Found, 'events' | 'records'> = { events: [], records: [] };
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const asked = api.exportPerson({ id: appId, personId, query }, signal && { signal });
    const { nextCursor, ...found }: Exported = (await orNull(asked)) ?? nobody(personId);
    whole.events.push(...found.events);
    whole.records.push(...found.records);
    cursor = nextCursor;
    if (cursor === null || page + 1 >= maxPages) {
      return { ...found, ...whole, isWhole: cursor === null };
    }
  }
}

export const usePerson = (appId: string, personId: string) =>
  useQuery(`person ${appId} ${personId}`, (signal) =>
    readPerson(appId, personId, { maxPages: DRAWN_PAGES, signal }),
  );

/** Null for who neither bought nor was granted anything. */
export const customerQuestion = (appId: string, customerId: string): Question<Customer | null> => ({
  of: customerId,
  key: `customer ${appId} ${customerId}`,
  fetch: (signal) => orNull(api.getPurchaseCustomer({ id: appId, customerId }, { signal })),
});

export const useCustomer = (appId: string, personId: string) =>
  useQuestion(customerQuestion(appId, personId));

const PRODUCT_DAYS = 365;

/** Taken without a second look. */
export const useKnownProducts = (appId: string, enabled: boolean) =>
  useQuery(
    `products ${appId}`,
    async (signal) => {
      const [{ byProduct }, { grants }, { entitlements, products }] = await Promise.all([
        api.getPurchasesOverview({ id: appId, query: { days: PRODUCT_DAYS } }, { signal }),
        api.listPurchaseGrants({ id: appId }, { signal }),
        api.getNamedEntitlements({ id: appId }, { signal }),
      ]);
      return {
        names: entitlements.map(({ name }) => name),
        products: [
          ...[...byProduct, ...grants].flatMap(({ productId }) => productId ?? []),
          ...products.map(({ id }) => id),
        ],
      };
    },
    { enabled },
  );

export const useExperimentNames = (appId: string) =>
  useApi(api.listExperiments, { id: appId }).value.data ?? [];
