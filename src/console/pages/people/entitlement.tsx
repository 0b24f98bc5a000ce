import { ago, when } from '../../format.ts';
import { PersonLink } from '../../parts/person-link.tsx';
import { Table } from '../../parts/table.tsx';
import { people as t } from '../../texts/people.ts';
import type { Customer } from './queries.ts';

/** Whether the person is entitled, and why, in one sentence. */
export function Why({ customer, refetch }: { customer: Customer | null; refetch: () => void }) {
  const entitled = customer?.entitlement.entitled ?? false;
  return (
    <div class="spaced">
      <p class={entitled ? 'verdict good' : 'verdict'}>{entitled ? t.entitled : t.notEntitled}</p>
      <p>{customer?.reason.sentence ?? t.neverBought}</p>
      {customer && (
        <div class="row">
          <button type="button" onClick={refetch}>
            {t.refresh}
          </button>
          <span class="quiet">
            {t.checked} {ago(customer.entitlement.checkedAt)}. {t.refreshed}
          </span>
        </div>
      )}
    </div>
  );
}

export function Purchases({ appId, customer }: { appId: string; customer: Customer }) {
  if (customer.purchases.length === 0) return null;
  return (
    <>
      <h2>{t.purchases}</h2>
      <Table
        caption={t.purchases}
        rows={customer.purchases}
        keyOf={(one) => `${one.environment} ${one.originalTransactionId}`}
        csvName="purchases"
        columns={[
          { label: t.product, show: (one) => one.productId },
          {
            label: t.status,
            show: ({ status, environment }) =>
              `${t.statuses[status]}${environment === 'Sandbox' ? ' (Sandbox)' : ''}`,
            plain: ({ status }) => status,
          },
          {
            label: t.until,
            show: ({ expiresAt }) => (expiresAt === null ? '' : when(expiresAt)),
            plain: ({ expiresAt }) => expiresAt,
          },
          {
            label: t.transaction,
            show: (one) => <code>{one.originalTransactionId}</code>,
            plain: (one) => one.originalTransactionId,
          },
          {
            label: t.holders,
            show: ({ holders }) => (
              <ul class="ids">
                {holders.map(({ kind, id }) => (
                  <li key={`${kind} ${id}`}>
                    {kind === 'token' ? id : <PersonLink appId={appId} personId={id} />}
                  </li>
                ))}
              </ul>
            ),
            plain: ({ holders }) => holders.map(({ id }) => id).join(' '),
          },
        ]}
      />
    </>
  );
}
