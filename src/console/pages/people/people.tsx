import { useRoute } from 'preact-iso';
import { ago, exactNumber, when } from '../../format.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { texts } from '../../texts/index.ts';
import { people as t } from '../../texts/people.ts';
import { visible } from '../../visible.ts';

const SEEN = 100;

function ById({ appId, search }: { appId: string; search: string }) {
  const found = useQuery(`people ${appId} ${search}`, (signal) =>
    api.searchPeople({ id: appId, query: { search } }, { signal }),
  );
  return (
    <section>
      <h2>{t.byId}</h2>
      <Loaded query={found}>
        {({ people, hasMore }) =>
          people.length === 0 ? (
            <p>{t.nobody}</p>
          ) : (
            <>
              <Table
                caption={t.byId}
                rows={people}
                keyOf={({ personId }) => personId}
                csvName="people"
                columns={[
                  {
                    label: t.person,
                    show: ({ personId }) => <PersonLink appId={appId} personId={personId} />,
                    plain: ({ personId }) => personId,
                  },
                  {
                    label: t.devices,
                    show: ({ anonymousIds }) => anonymousIds.map(visible).join(', '),
                    plain: ({ anonymousIds }) => anonymousIds.join(' '),
                  },
                  {
                    label: t.events,
                    number: true,
                    show: ({ events }) => exactNumber(events),
                    plain: ({ events }) => events,
                  },
                  {
                    label: t.first,
                    show: ({ firstEventAt }) => when(firstEventAt),
                    plain: ({ firstEventAt }) => firstEventAt,
                  },
                  {
                    label: t.last,
                    show: ({ lastEventAt }) => when(lastEventAt),
                    plain: ({ lastEventAt }) => lastEventAt,
                  },
                ]}
              />
              {hasMore && <p class="quiet">{t.more}</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function ByPurchase({ appId, search }: { appId: string; search: string }) {
  const found = useQuery(`customers ${appId} ${search}`, (signal) =>
    api.listPurchaseCustomers({ id: appId, query: { search } }, { signal }),
  );
  return (
    <section>
      <h2>{t.byPurchase}</h2>
      <Loaded query={found}>
        {({ customers, orderLookup }) => (
          <>
            {customers.length === 0 ? (
              <p>
                {t.nobody} {orderLookup && t.orders[orderLookup]}
              </p>
            ) : (
              <Table
                caption={t.byPurchase}
                rows={customers}
                keyOf={(one) => `${one.environment} ${one.originalTransactionId}`}
                csvName="purchases"
                columns={[
                  {
                    label: t.person,
                    show: ({ customerId }) => <PersonLink appId={appId} personId={customerId} />,
                    plain: ({ customerId }) => customerId,
                  },
                  { label: t.product, show: (one) => one.productId },
                  {
                    label: t.status,
                    show: ({ status }) => t.statuses[status],
                    plain: ({ status }) => status,
                  },
                  {
                    label: t.transaction,
                    show: (one) => <code>{one.originalTransactionId}</code>,
                    plain: (one) => one.originalTransactionId,
                  },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Who sent something last, while nobody is looked for. */
function SeenLast({ appId }: { appId: string }) {
  const recent = useQuery(`recent ${appId} all ${SEEN}`, (signal) =>
    api.listRecentEvents({ id: appId, query: { environment: 'all', limit: SEEN } }, { signal }),
  );
  return (
    <section>
      <h2>{t.seenLast}</h2>
      <Loaded query={recent}>
        {(events) => {
          const people = [...Map.groupBy(events, ({ personId }) => personId).values()].flatMap(
            ([last]) => last ?? [],
          );
          return people.length === 0 ? (
            <p>
              {t.noEvents} <a href={`/apps/${appId}/connect`}>{texts.nav.connect}</a>
            </p>
          ) : (
            <Table
              caption={t.seenLast}
              rows={people}
              keyOf={({ personId }) => personId}
              columns={[
                {
                  label: t.person,
                  show: ({ personId }) => <PersonLink appId={appId} personId={personId} />,
                },
                { label: t.last, show: ({ receivedAt }) => ago(receivedAt) },
                { label: t.what, show: ({ name }) => name },
              ]}
            />
          );
        }}
      </Loaded>
    </section>
  );
}

export function People() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const [search, setSearch] = useSetting('search', '');
  return (
    <Page title={t.title} question={t.question} help="console#people">
      <Form
        key={search}
        button={t.find}
        keep
        onSubmit={async (fields) => setSearch(fields.get('search').trim())}
      >
        <Field
          label={t.search}
          name="search"
          value={search}
          hint={t.searchHint}
          maxLength={128}
          autocomplete="off"
        />
      </Form>
      {search ? (
        <>
          <ById appId={appId} search={search} />
          <ByPurchase appId={appId} search={search} />
        </>
      ) : (
        <SeenLast appId={appId} />
      )}
    </Page>
  );
}
