import { money, shortNumber } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { texts } from '../../texts/index.ts';
import type { Analytics } from './sales.tsx';

const t = texts.sales;
const KINDS = ['byApp', 'byCountry', 'products', 'byDevice'] as const;
type Kind = (typeof KINDS)[number];
type Row = { name: string; proceedsMinor: number; downloads: number; refunds: number };

function rowsOf(analytics: Analytics, kind: Kind): Row[] {
  if (kind === 'products') {
    return analytics.products.map((row) => ({ ...row, name: row.title || row.sku }));
  }
  return analytics[kind].map((row) => ({ ...row, name: row.label || row.key }));
}

/** The same sums by app, country, product or device. */
export function Breakdowns({ analytics }: { analytics: Analytics }) {
  const [chosen, choose] = useSetting('by', 'byApp');
  const kind = KINDS.find((one) => one === chosen) ?? 'byApp';
  const { currency } = analytics;
  return (
    <section>
      <div class="tabs" role="tablist" aria-label={t.breakdown}>
        {KINDS.map((one) => (
          <button
            type="button"
            role="tab"
            key={one}
            aria-selected={one === kind}
            onClick={() => choose(one)}
          >
            {t.by[one]}
          </button>
        ))}
      </div>
      <Table
        caption={t.by[kind]}
        rows={rowsOf(analytics, kind)}
        keyOf={({ name }) => name}
        csvName={`sales-${kind}`}
        columns={[
          { label: t.label, show: ({ name }) => name, plain: ({ name }) => name },
          {
            label: `${t.proceeds} (${currency})`,
            number: true,
            show: ({ proceedsMinor }) => money(proceedsMinor, currency),
            plain: ({ proceedsMinor }) => proceedsMinor,
          },
          {
            label: t.downloads,
            number: true,
            show: ({ downloads }) => shortNumber(downloads),
            plain: ({ downloads }) => downloads,
          },
          {
            label: t.refunds,
            number: true,
            show: ({ refunds }) => shortNumber(refunds),
            plain: ({ refunds }) => refunds,
          },
        ]}
      />
    </section>
  );
}
