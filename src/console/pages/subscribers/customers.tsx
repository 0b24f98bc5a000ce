import { useSignal } from '@preact/signals';
import type { PurchasesOverview } from '../../../../clients/api/src/index.ts';
import { when } from '../../format.ts';
import { CursorPagination } from '../../parts/pagination.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { people as peopleTexts } from '../../texts/people.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const LIMIT = 50;

/** Every purchase with who holds it, the newest first; each opens its person. */
export function Customers({
  appId,
  environment,
}: {
  appId: string;
  environment: PurchasesOverview['environment'];
}) {
  const cursor = useSignal('');
  const after = cursor.value;
  const customers = useQuery(`customers ${appId} ${environment} after ${after}`, (signal) =>
    api.listPurchaseCustomers(
      { id: appId, query: { environment, limit: LIMIT, ...(after && { cursor: after }) } },
      { signal },
    ),
  );
  return (
    <section>
      <h2>{t.customers}</h2>
      <Loaded query={customers}>
        {({ customers: rows, nextCursor }) =>
          rows.length === 0 ? (
            <p>{t.nobody}</p>
          ) : (
            <>
              <Table
                caption={t.customers}
                rows={rows}
                keyOf={({ originalTransactionId }) => originalTransactionId}
                csvName="customers"
                columns={[
                  {
                    label: t.customer,
                    show: ({ customerId }) => <PersonLink appId={appId} personId={customerId} />,
                    plain: ({ customerId }) => customerId,
                  },
                  {
                    label: peopleTexts.product,
                    show: ({ productId }) => productId,
                  },
                  {
                    label: peopleTexts.status,
                    show: ({ status }) => peopleTexts.statuses[status],
                    plain: ({ status }) => status,
                  },
                  {
                    label: peopleTexts.until,
                    show: ({ expiresAt }) => expiresAt && when(expiresAt),
                    plain: ({ expiresAt }) => expiresAt,
                  },
                  {
                    label: t.renews,
                    show: ({ willRenew }) => (willRenew ? t.yes : t.no),
                  },
                ]}
              />
              <div class="row">
                <CursorPagination cursor={cursor} next={nextCursor} />
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
