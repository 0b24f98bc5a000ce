import type { ComponentChildren } from 'preact';
import {
  currencySigns,
  exactNumber,
  money,
  roundAmounts,
  shortDay,
  shortNumber,
  signedMoney,
  signedNumber,
} from '../../format.ts';
import { type AppSales, salesChange } from '../../state/app-sales.ts';
import type { Had } from '../../state/had.ts';
import { type RevenueSum, revenueChange } from '../../state/revenue-of-all.ts';
import { figures as t } from '../../texts/figures.ts';
import { Change, Grown } from '../change.tsx';
import { Spark } from '../chart/index.ts';
import { Kpi } from '../kpis.tsx';
import { type Cell, EmptyKpi } from './empty.tsx';

type UnconvertedProps = { sales: Pick<AppSales, 'unconverted'>; isShort?: boolean };

export function Unconverted(props: UnconvertedProps) {
  const { unconverted } = props.sales;
  if (unconverted.length === 0) return null;
  const amounts = roundAmounts(unconverted);
  return (
    <span class="chip warn" title={`${amounts}: ${t.unconvertedWhy}`}>
      {t.unconverted(props.isShort ? currencySigns(unconverted) : amounts)}
    </span>
  );
}

export function SalesKpi(
  props: Cell & {
    of: 'proceeds' | 'downloads';
    sales: Had<AppSales>;
    days: number;
    known: { known: number; of: number } | null;
  },
) {
  const { of, sales, days, known, ...cell } = props;
  const [label, meaning] = [t[of](days), t.meanings[of]];
  if (!sales)
    return <EmptyKpi {...cell} label={label} meaning={meaning} had={sales} why={t.noStore} />;
  const isMoney = of === 'proceeds';
  const change = salesChange(sales, isMoney ? 'proceedsMinor' : 'downloads');
  const lacks = isMoney && sales.unconverted.length > 0;
  return (
    <Kpi
      {...cell}
      label={label}
      meaning={meaning}
      figure={isMoney ? money(sales.proceedsMinor, sales.currency) : shortNumber(sales.downloads)}
      change={
        <Change
          value={change}
          goodWhen="up"
          {...(!lacks &&
            !known && {
              against: sales.days.length === days ? t.daysBefore(days) : t.asManyBefore,
            })}
        />
      }
      chip={
        <>
          {isMoney && <Unconverted sales={sales} />}
          {known && !lacks && known.known < known.of && (
            <span class="chip warn">{t.knownDays(known.known, known.of)}</span>
          )}
        </>
      }
      spark={<Spark kind="bars" values={isMoney ? sales.proceedsByDay : sales.downloadsByDay} />}
    />
  );
}

export function MrrKpi(props: Cell & { revenue: Had<RevenueSum>; change?: ComponentChildren }) {
  const { revenue, change, ...cell } = props;
  const [label, meaning] = [t.mrr, t.meanings.mrr];
  if (!revenue) {
    return <EmptyKpi {...cell} label={label} meaning={meaning} had={revenue} why={t.noPurchase} />;
  }
  return (
    <Kpi
      {...cell}
      label={label}
      meaning={meaning}
      figure={money(revenue.mrrMinor, revenue.currency)}
      change={change ?? <SinceStart revenue={revenue} />}
      chip={<WithoutAmount count={revenue.without} />}
      spark={<Spark kind="line" slot={3} values={revenue.mrrByDay} />}
    />
  );
}

export const WithoutAmount = ({ count }: { count: number }) =>
  count > 0 && (
    <span class="chip warn" title={t.withoutAmountWhy}>
      {t.withoutAmount(count)}
    </span>
  );

function SinceStart({ revenue }: { revenue: RevenueSum }) {
  const { from, mrrMinor, startMinor, currency } = revenue;
  const change = revenueChange(revenue);
  return (
    <>
      {change === null ? (
        <span class="change">{signedMoney(mrrMinor - startMinor, currency)}</span>
      ) : (
        <Change value={change} goodWhen="up" />
      )}
      <span>{t.since(shortDay(from))}</span>
    </>
  );
}

export function ActiveKpi({ revenue, ...cell }: Cell & { revenue: Had<RevenueSum> }) {
  const [label, meaning] = [t.active, t.meanings.active];
  if (!revenue) {
    return <EmptyKpi {...cell} label={label} meaning={meaning} had={revenue} why={t.noPurchase} />;
  }
  const grown = revenue.active - revenue.activeAtStart;
  return (
    <Kpi
      {...cell}
      label={label}
      meaning={meaning}
      figure={exactNumber(revenue.active)}
      change={
        <Grown by={grown} text={signedNumber(grown)} since={t.since(shortDay(revenue.from))} />
      }
      spark={<Spark kind="line" slot={3} values={revenue.activeByDay} />}
    />
  );
}
