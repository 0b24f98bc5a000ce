import { exactNumber } from '../format.ts';
import { personPath } from '../parts/person-link.tsx';
import { api } from '../state/api.ts';
import { palette as t } from '../texts/palette.ts';
import { people } from '../texts/people.ts';
import { visible } from '../visible.ts';
import type { PaletteApp } from './entries.ts';

/** A person or a purchase that fits what was typed. */
export type Found = {
  key: string;
  text: string;
  detail: string;
  /** At the end of the row: how the purchase stands. */
  note?: string;
  href: string;
};

export type FoundAll = {
  people: readonly Found[];
  purchases: readonly Found[];
  /** What could not be looked up, and why. */
  notices: readonly string[];
};

type People = Awaited<ReturnType<typeof api.searchPeople>>;
type Purchases = Awaited<ReturnType<typeof api.listPurchaseCustomers>>;

const SHOWN_OF_APP = 5;

const peopleOf = (app: PaletteApp, { people: all }: People): Found[] =>
  all.slice(0, SHOWN_OF_APP).map(({ personId, events }) => ({
    key: `person ${app.id} ${personId}`,
    text: visible(personId),
    detail: t.personOf(app.displayName, exactNumber(events)),
    href: personPath(app.id, personId),
  }));

const purchasesOf = (app: PaletteApp, { customers }: Purchases): Found[] =>
  customers.slice(0, SHOWN_OF_APP).map((one) => ({
    key: `purchase ${app.id} ${one.environment} ${one.originalTransactionId}`,
    text: visible(one.customerId),
    detail: t.purchaseOf(
      app.displayName,
      one.customerId === one.originalTransactionId
        ? (one.productId ?? '')
        : one.originalTransactionId,
    ),
    note: people.statuses[one.status],
    href: personPath(app.id, one.customerId),
  }));

/** People by the beginning of an id, purchases by order or transaction, of every app at once. */
export async function findEverywhere(
  apps: readonly PaletteApp[],
  search: string,
  signal: AbortSignal,
): Promise<FoundAll> {
  const answers = await Promise.all(
    apps.map(async (app) => {
      const query = { id: app.id, query: { search } };
      const [found, purchases] = await Promise.allSettled([
        api.searchPeople(query, { signal }),
        api.listPurchaseCustomers(query, { signal }),
      ]);
      return { app, found, purchases };
    }),
  );
  signal.throwIfAborted();
  const lookups = answers.map(({ purchases }) =>
    purchases.status === 'fulfilled' ? purchases.value.orderLookup : null,
  );
  return {
    people: answers.flatMap(({ app, found }) =>
      found.status === 'fulfilled' ? peopleOf(app, found.value) : [],
    ),
    purchases: answers.flatMap(({ app, purchases }) =>
      purchases.status === 'fulfilled' ? purchasesOf(app, purchases.value) : [],
    ),
    notices: [
      ...(lookups.includes('no_key') && !lookups.includes('found') ? [t.noKey] : []),
      ...answers
        .filter(({ found, purchases }) =>
          [found, purchases].some((one) => one.status === 'rejected'),
        )
        .map(({ app }) => t.failed(app.displayName)),
    ],
  };
}
