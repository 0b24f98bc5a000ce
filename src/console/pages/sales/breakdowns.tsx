import type { Analytics } from '../../../../clients/api/src/index.ts';
import { rate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Meter } from '../../parts/chart/index.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useChoice, useSetting } from '../../state/address.ts';
import { sales as t } from '../../texts/sales.ts';
import { drawnValue, isMoney, type Measure, shownValue, SHOWN } from './measures.ts';

const KINDS = ['byApp', 'byCountry', 'products', 'byDevice'] as const;
type Kind = (typeof KINDS)[number];
const FILTERS = {
  byApp: 'storeApp',
  byCountry: 'country',
  products: 'sku',
  byDevice: null,
} as const;

const labelOf = (measure: Measure, currency: string): string =>
  isMoney(measure) ? `${t.measures[measure]} (${currency})` : t.measures[measure];

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

function columnsOf(rows: readonly Row[], measure: Measure, currency: string): Column<Row>[] {
  const all = rows.reduce((sum, row) => sum + row[measure], 0);
  const most = Math.max(0, ...rows.map((row) => row[measure]));
  const shareOf = (row: Row, of: number) => (of > 0 ? row[measure] / of : null);
  const amount = (one: Measure): Column<Row> => ({
    label: labelOf(one, currency),
    figure: (row) => row[one],
    format: (value) => shownValue(value, one, currency),
    plain: (row) => drawnValue(row[one], one, currency),
    sort: true,
  });
  return [
    { label: t.label, show: ({ name }) => name, sort: true, narrow: true },
    {
      label: t.share,
      show: (row) => (
        <span class="share-bar">
          <Meter share={shareOf(row, most) ?? 0} paint={isMoney(measure) ? 3 : 1} />
          <span class="quiet">{rate(shareOf(row, all))}</span>
        </span>
      ),
      plain: (row) => shareOf(row, all),
      narrow: true,
    },
    { ...amount(measure), narrow: true },
    ...SHOWN.filter((one) => one !== measure).map(amount),
  ];
}

export function Breakdowns({ analytics, measure }: { analytics: Analytics; measure: Measure }) {
  const [kind, choose] = useChoice('by', KINDS);
  const filter = FILTERS[kind];
  const [, narrow] = useSetting(filter ?? 'device', '');
  const rows = rowsOf(analytics, kind);
  return (
    <Card title={t.breakdown(t.measures[measure])} flush class="sales-breakdown">
      <Tabs
        label={t.breakdown(t.measures[measure])}
        options={KINDS}
        textOf={(one) => t.by[one]}
        value={kind}
        onChange={choose}
      >
        <Table
          key={`${kind} ${measure}`}
          caption={t.by[kind]}
          rows={rows}
          keyOf={({ id }) => id}
          csvName={`sales-${kind}`}
          sort={{ column: labelOf(measure, analytics.currency), isDescending: true }}
          {...(filter && { onRow: ({ key }: Row) => narrow(key) })}
          columns={columnsOf(rows, measure, analytics.currency)}
        />
      </Tabs>
    </Card>
  );
}
