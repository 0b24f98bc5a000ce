import type { Analytics } from '../../../../clients/api/src/index.ts';
import { exactNumber, money, wholeUnits } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useSetting } from '../../state/address.ts';
import { sales as t } from '../../texts/sales.ts';

const KINDS = ['byApp', 'byCountry', 'products', 'byDevice'] as const;
type Kind = (typeof KINDS)[number];
/** What each kind narrows the page by; devices narrow nothing. */
const FILTERS = { byApp: 'app', byCountry: 'country', products: 'sku', byDevice: null } as const;

type Row = Analytics['byCountry'][number] & { id: string; name: string };

function rowsOf(analytics: Analytics, kind: Kind): Row[] {
  if (kind === 'products') {
    return analytics.products.map((row) => ({
      ...row,
      key: row.sku,
      label: row.title,
      id: `${row.storeAppId} ${row.sku} ${row.kind}`,
      name: row.title || row.sku,
    }));
  }
  return analytics[kind].map((row) => ({ ...row, id: row.key, name: row.label || row.key }));
}

/** The same sums by app, country, product or device; a name narrows the page to it. */
export function Breakdowns({ analytics }: { analytics: Analytics }) {
  const [chosen, choose] = useSetting('by', 'byApp');
  const kind = KINDS.find((one) => one === chosen) ?? 'byApp';
  const [, narrow] = useSetting(FILTERS[kind] ?? 'device', '');
  const { currency } = analytics;
  return (
    <section>
      <Tabs
        label={t.breakdown}
        options={KINDS}
        textOf={(one) => t.by[one]}
        value={kind}
        onChange={choose}
      >
        <Table
          caption={t.by[kind]}
          rows={rowsOf(analytics, kind)}
          keyOf={({ id }) => id}
          csvName={`sales-${kind}`}
          columns={[
            {
              label: t.label,
              show: ({ name, key }) =>
                FILTERS[kind] === null ? (
                  name
                ) : (
                  <button type="button" class="link" onClick={() => narrow(key)}>
                    {name}
                  </button>
                ),
              plain: ({ name }) => name,
            },
            {
              label: `${t.proceeds} (${currency})`,
              number: true,
              show: ({ proceedsMinor }) => money(proceedsMinor, currency),
              plain: ({ proceedsMinor }) => wholeUnits(proceedsMinor, currency),
            },
            {
              label: t.downloads,
              number: true,
              show: ({ downloads }) => exactNumber(downloads),
              plain: ({ downloads }) => downloads,
            },
            {
              label: t.subscriptions,
              number: true,
              show: ({ subscriptionUnits }) => exactNumber(subscriptionUnits),
              plain: ({ subscriptionUnits }) => subscriptionUnits,
            },
            {
              label: t.refunds,
              number: true,
              show: ({ refunds }) => exactNumber(refunds),
              plain: ({ refunds }) => refunds,
            },
          ]}
        />
      </Tabs>
    </section>
  );
}
