import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { exactNumber, money, wholeUnits } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useSetting } from '../../state/address.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const KINDS = ['product', 'country', 'day'] as const;
type Kind = (typeof KINDS)[number];

type Row = {
  name: string;
  active: number;
  mrrMinor: number;
  trials: number;
  fresh: number;
  churned: number;
  refunds: Overview['refunds']['byRefundDay'] | null;
};

function rowsOf({ byDay, byProduct, byCountry }: Overview, kind: Kind): Row[] {
  const row = (
    name: string,
    part: Overview['byDay' | 'byProduct' | 'byCountry'][number],
    refunds: Row['refunds'],
  ): Row => ({
    name,
    active: part.active,
    mrrMinor: part.mrrMinor,
    trials: part.trials,
    fresh: part.subscriptions.new + part.subscriptions.returned,
    churned: part.subscriptions.churned,
    refunds,
  });
  if (kind === 'product') return byProduct.map((part) => row(part.productId, part, null));
  if (kind === 'country') return byCountry.map((part) => row(part.country, part, null));
  return byDay.map((part) => row(part.day, part, part.refunds)).toReversed();
}

/** The same figures by day, product or country. */
export function Parts({ overview }: { overview: Overview }) {
  const [chosen, choose] = useSetting('by', 'product');
  const kind = KINDS.find((one) => one === chosen) ?? 'product';
  const { currency } = overview;
  const count = (label: string, of: (row: Row) => number) => ({
    label,
    number: true,
    show: (row: Row) => exactNumber(of(row)),
    plain: of,
  });
  return (
    <section>
      <Tabs
        label={t.breakdown}
        options={KINDS}
        textOf={(one) => t.parts[one]}
        value={kind}
        onChange={choose}
      >
        <Table
          caption={t.parts[kind]}
          rows={rowsOf(overview, kind)}
          keyOf={({ name }) => name}
          csvName={`subscribers-by-${kind}`}
          columns={[
            {
              label: kind === 'day' ? t.day : t.name,
              show: ({ name }) => name,
            },
            count(t.active, ({ active }) => active),
            {
              label: `${t.mrr} (${currency})`,
              number: true,
              show: ({ mrrMinor }) => money(mrrMinor, currency),
              plain: ({ mrrMinor }) => wholeUnits(mrrMinor, currency),
            },
            count(t.trials, ({ trials }) => trials),
            count(`${t.steps.new} + ${t.steps.returned.toLowerCase()}`, ({ fresh }) => fresh),
            count(t.steps.churned, ({ churned }) => churned),
            ...(kind === 'day'
              ? [
                  {
                    label: `${t.refunds} (${currency})`,
                    number: true,
                    show: ({ refunds }: Row) => refunds && money(refunds.amountMinor, currency),
                    plain: ({ refunds }: Row) =>
                      refunds && wholeUnits(refunds.amountMinor, currency),
                  },
                ]
              : []),
          ]}
        />
      </Tabs>
    </section>
  );
}
