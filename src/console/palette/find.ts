import { personPath } from '../parts/person-link.tsx';
import { api } from '../state/api.ts';
import { palette as t } from '../texts/palette.ts';
import { people } from '../texts/people.ts';
import { visible } from '../visible.ts';
import type { PaletteApp } from './entries.ts';

export type Found = {
  key: string;
  text: string;
  detail: string;
  note?: string;
  href: string;
};

export type FoundRows = {
  rows: readonly Found[];
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
    detail: t.personOf(app.displayName, events),
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

/** One that cannot be searched is named. */
async function inEvery<T>(
  apps: readonly PaletteApp[],
  signal: AbortSignal,
  search: (app: PaletteApp) => Promise<T>,
): Promise<{ found: { app: PaletteApp; answer: T }[]; failed: string[] }> {
  const settled = await Promise.allSettled(apps.map(search));
  signal.throwIfAborted();
  const found: { app: PaletteApp; answer: T }[] = [];
  const failed: string[] = [];
  for (const [index, app] of apps.entries()) {
    const one = settled[index];
    if (one?.status === 'fulfilled') found.push({ app, answer: one.value });
    else failed.push(t.failed(app.displayName));
  }
  return { found, failed };
}

export async function findPeople(
  apps: readonly PaletteApp[],
  search: string,
  signal: AbortSignal,
): Promise<FoundRows> {
  const { found, failed } = await inEvery(apps, signal, ({ id }) =>
    api.searchPeople({ id, query: { search } }, { signal }),
  );
  return { rows: found.flatMap(({ app, answer }) => peopleOf(app, answer)), notices: failed };
}

export async function findPurchases(
  apps: readonly PaletteApp[],
  search: string,
  signal: AbortSignal,
): Promise<FoundRows> {
  const { found, failed } = await inEvery(apps, signal, ({ id }) =>
    api.listPurchaseCustomers({ id, query: { search } }, { signal }),
  );
  const lookups = found.map(({ answer }) => answer.orderLookup);
  const isUnasked = lookups.includes('no_key') && !lookups.includes('found');
  return {
    rows: found.flatMap(({ app, answer }) => purchasesOf(app, answer)),
    notices: [...(isUnasked ? [t.noKey] : []), ...failed],
  };
}
