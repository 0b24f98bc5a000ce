import { Card } from '../../parts/card.tsx';
import { Moment } from '../../parts/moment.tsx';
import { personColumn, personPath } from '../../parts/person-link.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQueries } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';
import { people as t } from '../../texts/people.ts';
import { visible } from '../../visible.ts';
import { customerQuestion } from './queries.ts';

type Search = { appId: string; search: string };

export function ById({ appId, search, zone }: Search & { zone: string }) {
  const found = useApi(api.searchPeople, { id: appId, query: { search } });
  return (
    <Card title={t.byId} flush>
      <Loaded query={found} skeleton={<Skeleton count={3} />}>
        {({ people, hasMore }) =>
          people.length === 0 ? (
            <p class="card-none quiet">{t.nobody}</p>
          ) : (
            <>
              <Table
                caption={t.byId}
                rows={people}
                keyOf={({ personId }) => personId}
                csvName="people"
                rowHref={({ personId }) => personPath(appId, personId)}
                columns={[
                  {
                    ...personColumn<{ personId: string }>(t.person, ({ personId }) => personId),
                    narrow: true,
                  },
                  {
                    label: t.devices,
                    show: ({ anonymousIds }) => anonymousIds.map(visible).join(', '),
                    plain: ({ anonymousIds }) => anonymousIds.join(' '),
                  },
                  { label: t.events, figure: ({ events }) => events, sort: true, narrow: true },
                  {
                    label: t.first,
                    show: ({ firstEventAt }) => <Moment at={firstEventAt} zone={zone} />,
                    plain: ({ firstEventAt }) => firstEventAt,
                    sort: true,
                  },
                  {
                    label: t.last,
                    show: ({ lastEventAt }) => <Moment at={lastEventAt} zone={zone} />,
                    plain: ({ lastEventAt }) => lastEventAt,
                    sort: true,
                    narrow: true,
                  },
                ]}
              />
              {hasMore && <p class="card-none quiet">{t.more}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

type Row = Awaited<ReturnType<typeof api.listPurchaseCustomers>>['customers'][number];

/** The user, else the device of the store's customer. */
function useHolders(appId: string, rows: readonly Row[]): ReadonlyMap<string, string> {
  const nameless = rows.filter(({ userId }) => userId === null);
  const asked = useQueries(nameless.map(({ customerId }) => customerQuestion(appId, customerId)));
  const holders = new Map(
    rows.flatMap(({ customerId, userId }) => (userId ? [[customerId, userId] as const] : [])),
  );
  for (const [index, query] of asked.entries()) {
    const purchases = query.value.data?.purchases ?? [];
    const holder = purchases.flatMap((one) => one.holders).find(({ kind }) => kind !== 'token');
    const id = nameless[index]?.customerId;
    if (holder && id !== undefined) holders.set(id, holder.id);
  }
  return holders;
}

function Purchases({ appId, rows }: { appId: string; rows: readonly Row[] }) {
  const holders = useHolders(appId, rows);
  const holderOf = ({ customerId }: Row): string | undefined => holders.get(customerId);
  return (
    <Table
      caption={t.byPurchase}
      rows={rows}
      keyOf={(one) => `${one.environment} ${one.originalTransactionId}`}
      csvName="purchases"
      rowHref={(one) => personPath(appId, holderOf(one) ?? one.customerId)}
      columns={[
        {
          label: t.person,
          show: (one) => visible(holderOf(one) ?? t.nobodyKnown),
          plain: (one) => holderOf(one) ?? null,
          narrow: true,
        },
        { label: t.product, show: (one) => one.productId, narrow: true },
        {
          label: t.status,
          show: ({ status }) => <span class="chip">{t.statuses[status]}</span>,
          plain: ({ status }) => status,
          narrow: true,
        },
        {
          label: t.transaction,
          show: (one) => <code>{one.originalTransactionId}</code>,
          plain: (one) => one.originalTransactionId,
        },
      ]}
    />
  );
}

export function ByPurchase({ appId, search }: Search) {
  const found = useApi(api.listPurchaseCustomers, { id: appId, query: { search } });
  return (
    <Card title={t.byPurchase} flush>
      <Loaded query={found} skeleton={<Skeleton count={3} />}>
        {({ customers, orderLookup }) =>
          customers.length === 0 ? (
            <p class="card-none quiet">
              {t.nobody} {orderLookup && t.orders[orderLookup]}
            </p>
          ) : (
            <Purchases appId={appId} rows={customers} />
          )
        }
      </Loaded>
    </Card>
  );
}
