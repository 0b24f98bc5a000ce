import { type Signal, useSignal } from '@preact/signals';
import type {
  PurchaseCustomersPage,
  PurchasesOverview,
} from '../../../../clients/api/src/index.ts';
import { CUSTOMER_STATE, CUSTOMER_STATES } from '../../../shared/customer-state.ts';
import { calendarDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { CursorPagination } from '../../parts/pagination.tsx';
import { personColumn, personPath } from '../../parts/person-link.tsx';
import { SearchForm } from '../../parts/search-form.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useChoice, useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { turn } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

type Customer = PurchaseCustomersPage['customers'][number];

const STATES = ['all', ...CUSTOMER_STATES] as const;
type State = (typeof STATES)[number];

const TONES: Record<State, string> = { all: '', active: 'good', trouble: 'warn', ended: '' };

const stateOf = (status: Customer['status']): { text: string; tone: string } => ({
  text: t.statuses[status],
  tone: TONES[CUSTOMER_STATE[status]],
});

function untilOf(customer: Customer, show: (day: string) => string): string | null {
  const { expiresAt, graceExpiresAt, willRenew, status } = customer;
  if (expiresAt === null || status === 'revoked') return null;
  const day = show(expiresAt.slice(0, 10));
  if (graceExpiresAt) return t.inGrace(day, show(graceExpiresAt.slice(0, 10)));
  if (CUSTOMER_STATE[status] === 'trouble') return t.wasDueOn(day);
  if (CUSTOMER_STATE[status] === 'ended') return t.endedOn(day);
  return willRenew ? t.renewsOn(day) : t.endsOn(day);
}

const LIMIT = 50;
const SHOWN = 12;

const COLUMNS: readonly Column<Customer>[] = [
  { ...personColumn(t.customer, ({ customerId }) => customerId), narrow: true },
  { label: t.product, show: ({ productId }) => productId },
  {
    label: t.state,
    show: ({ status }) => {
      const { text, tone } = stateOf(status);
      return <span class={`chip ${tone}`}>{text}</span>;
    },
    plain: ({ status }) => status,
    narrow: true,
  },
  {
    label: t.until,
    show: (customer) => untilOf(customer, calendarDay),
    plain: ({ expiresAt }) => expiresAt,
    narrow: true,
  },
];

type Rows = { customers: readonly Customer[]; nextCursor: string | null };

function List(props: { appId: string; page: Rows; cursor: Signal<string> }) {
  const { appId, page, cursor } = props;
  const isLong = useSignal(false);
  const rows = page.customers;
  const shown = isLong.value ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <Table
        caption={t.customers}
        rows={shown}
        csvRows={rows}
        columns={COLUMNS}
        keyOf={({ originalTransactionId }) => originalTransactionId}
        rowHref={({ customerId }) => personPath(appId, customerId)}
        csvName="customers"
      />
      <p class="card-foot row">
        {shown.length < rows.length ? (
          <Button onClick={turn(isLong, true)}>{t.more(rows.length - shown.length)}</Button>
        ) : (
          <CursorPagination cursor={cursor} next={page.nextCursor} />
        )}
      </p>
    </>
  );
}

export function Customers(props: { appId: string; environment: PurchasesOverview['environment'] }) {
  const { appId, environment } = props;
  const [search, setSearch] = useSetting('search', '');
  const [state, choose] = useChoice('state', STATES);
  const cursor = useSignal('');
  const after = cursor.value;
  const query = {
    environment,
    limit: LIMIT,
    ...(state !== 'all' && !search && { state }),
    ...(search && { search }),
    ...(after && { cursor: after }),
  };
  const customers = useApi(api.listPurchaseCustomers, { id: appId, query });
  const find = (words: string) => {
    cursor.value = '';
    setSearch(words);
  };
  const chooseState = (chosen: string) => {
    cursor.value = '';
    choose(chosen);
  };
  return (
    <Card
      title={t.customers}
      flush
      class="customers"
      actions={
        <>
          <SearchForm label={t.searchLabel} value={search} onSearch={find} />
          <Segmented
            label={t.state}
            compact
            options={STATES.map((one) => [one, t.states[one]] as const)}
            value={state}
            onChange={chooseState}
          />
        </>
      }
    >
      <Loaded query={customers} skeleton={<Skeleton shape="rows" count={SHOWN} />}>
        {(page) =>
          page.customers.length > 0 ? (
            <List appId={appId} page={page} cursor={cursor} />
          ) : (
            <Empty
              icon={icons.people}
              title={search ? t.noMatch : state === 'all' ? t.nobody : t.noneInState}
              {...(page.orderLookup && { text: t.orders[page.orderLookup] })}
              action={<CursorPagination cursor={cursor} next={page.nextCursor} />}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
