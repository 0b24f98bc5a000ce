import type { Analytics } from '../../../../clients/api/src/index.ts';
import { money, wholeUnits } from '../../format.ts';
import { TableCard } from '../../parts/list-card.tsx';
import { sales as t } from '../../texts/sales.ts';

export function Unconverted({ analytics }: { analytics: Analytics }) {
  const { unconverted, daysMissingRates, rates } = analytics;
  if (unconverted.length === 0) return null;
  return (
    <div class="notice warn">
      <p>
        {t.unconverted(daysMissingRates, unconverted.length)}{' '}
        <strong>
          {unconverted
            .map(({ currency, proceedsMinor }) => money(proceedsMinor, currency))
            .join(', ')}
        </strong>
      </p>
      <p class="quiet">{rates?.notice ?? t.noQuote}</p>
    </div>
  );
}

export function Currencies({ analytics }: { analytics: Analytics }) {
  const { currencies, unconverted } = analytics;
  const without = new Map(unconverted.map((one) => [one.currency, one.proceedsMinor]));
  if (currencies.length < 2 && unconverted.length === 0) return null;
  return (
    <TableCard
      title={t.currencies}
      sub={t.currenciesSub}
      rows={currencies}
      keyOf={({ currency }) => currency}
      csvName="sales-currencies"
      columns={[
        { label: t.currency, show: ({ currency }) => currency, sort: true },
        {
          label: t.measures.proceedsMinor,
          number: true,
          show: ({ currency, proceedsMinor }) => money(proceedsMinor, currency),
          plain: ({ currency, proceedsMinor }) => wholeUnits(proceedsMinor, currency),
        },
        {
          label: t.without,
          number: true,
          show: ({ currency }) => {
            const amount = without.get(currency);
            return amount ? <span class="warn">{money(amount, currency)}</span> : t.none;
          },
          plain: ({ currency }) => wholeUnits(without.get(currency) ?? 0, currency),
        },
      ]}
    />
  );
}
