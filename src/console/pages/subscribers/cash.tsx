import type { PurchaseRevenue as Revenue } from '../../../../clients/api/src/index.ts';
import { money, signedMoney, wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { moneyFormat } from '../../parts/chart/formats.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import { Info } from '../../parts/info.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const PLOT_PX = 210;
const REASONS = [
  'daysMinor',
  'notReportedMinor',
  'onlySignedMinor',
  'onlyReportedMinor',
  'restMinor',
] as const;

function Beside({ revenue: { reported, currency, totals } }: { revenue: Revenue }) {
  const own = t.cash.own(
    money(totals.netMinor, currency),
    money(totals.refunds.byRefundDay.amountMinor, currency),
  );
  if (!reported) return <p>{own}</p>;
  const { explained, differenceMinor, customerSpendMinor } = reported;
  const reasons = REASONS.filter((name) => explained[name] !== 0).map(
    (name) => `${t.cash.reasons[name]} ${signedMoney(explained[name], currency)}`,
  );
  return (
    <p>
      {own} {t.cash.store(money(customerSpendMinor, currency))}{' '}
      {differenceMinor !== 0 && `${signedMoney(differenceMinor, currency)}: ${reasons.join(', ')}.`}
    </p>
  );
}

type Query = { from?: string; to?: string; days?: number; currency?: string };

export function Cash({ appId, asked }: { appId: string; asked: Query }) {
  const query = { ...asked, timezone: 'UTC' };
  const revenue = useApi(api.getPurchaseRevenue, { id: appId, query });
  return (
    <Card title={t.cash.title} sub={<Info label={t.cash.title}>{t.cash.why}</Info>}>
      <Loaded query={revenue} skeleton={<Skeleton shape="plot" />}>
        {(data) => (
          <>
            <Beside revenue={data} />
            <TimeChart
              title={t.cash.title}
              csvName="revenue"
              height={PLOT_PX}
              days={data.points.map(({ from }) => from)}
              series={[
                {
                  key: 'net',
                  name: t.cash.net,
                  slot: 3,
                  values: data.points.map(({ netMinor }) => wholeUnits(netMinor, data.currency)),
                },
              ]}
              format={moneyFormat(data.currency)}
              zone="UTC"
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}
