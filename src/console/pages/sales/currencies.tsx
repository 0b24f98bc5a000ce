import type { Analytics } from '../../../../clients/api/src/index.ts';
import { money, wholeUnits } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { sales as t } from '../../texts/sales.ts';

/** What could not be converted, why, and what to do about it. */
export function Unconverted({ analytics }: { analytics: Analytics }) {
  const { unconverted, daysMissingRates, rates } = analytics;
  if (unconverted.length === 0) return null;
  return (
    <div class="notice warning">
      <p>
        {t.unconverted(daysMissingRates, unconverted.length)}{' '}
        {unconverted
          .map(({ currency, proceedsMinor }) => money(proceedsMinor, currency))
          .join(', ')}
      </p>
      <p class="quiet">{rates?.notice ?? t.noQuote}</p>
    </div>
  );
}

/** The money as the store pays it, before any conversion. */
export function Currencies({ analytics }: { analytics: Analytics }) {
  const { currencies, unconverted } = analytics;
  const without = new Map(unconverted.map((one) => [one.currency, one.proceedsMinor]));
  if (currencies.length < 2 && unconverted.length === 0) return null;
  return (
    <section>
      <h2>{t.currencies}</h2>
      <Table
        caption={t.currencies}
        rows={currencies}
        keyOf={({ currency }) => currency}
        csvName="sales-currencies"
        columns={[
          {
            label: t.currency,
            show: ({ currency }) => currency,
          },
          {
            label: t.paid,
            number: true,
            show: ({ currency, proceedsMinor }) => money(proceedsMinor, currency),
            plain: ({ currency, proceedsMinor }) => wholeUnits(proceedsMinor, currency),
          },
          {
            label: t.without,
            number: true,
            show: ({ currency }) => money(without.get(currency) ?? 0, currency),
            plain: ({ currency }) => wholeUnits(without.get(currency) ?? 0, currency),
          },
        ]}
      />
    </section>
  );
}
