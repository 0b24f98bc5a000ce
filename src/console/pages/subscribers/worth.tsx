import type { RevenueCohorts as Worth } from '../../../../clients/api/src/index.ts';
import { money, monthName, rate, UNKNOWN, wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { moneyFormat } from '../../parts/chart/formats.ts';
import { namedPlaces, TimeChart } from '../../parts/chart/index.ts';
import { Info } from '../../parts/info.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useChoice } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const PLOT_PX = 210;
const KINDS = ['first_seen', 'first_trial', 'first_purchase'] as const;

type Cohort = Worth['cohorts'][number];
type Cell = NonNullable<Cohort['periods'][number]>;

const nameOf = ({ from }: Cohort) => monthName(from.slice(0, 'YYYY-MM'.length));
const lastOf = ({ periods }: Pick<Cohort, 'periods'>): Cell | null =>
  periods.findLast((cell) => cell !== null) ?? null;
const sinceFirst = (cohorts: readonly Cohort[]): Cohort[] => {
  const first = cohorts.findIndex(({ people }) => people > 0);
  return first === -1 ? [] : cohorts.slice(first);
};
const orUnknown = (minor: number | null | undefined, currency: string): string =>
  minor == null ? UNKNOWN : money(minor, currency);

function between({ perPersonLow: low, perPersonHigh: high }: Cell, currency: string): string {
  return low === null || high === null
    ? ''
    : t.worth.between(money(low, currency), money(high, currency));
}

/** The newest with three finished months, else the one followed for longest. */
function Answer({ worth }: { worth: Worth }) {
  const { cohorts, currency } = worth;
  const known = cohorts.filter((cohort) => (lastOf(cohort)?.perPersonMinor ?? null) !== null);
  const cohort = known.findLast(({ periods }) => (periods[2] ?? null) !== null) ?? known[0];
  const cell = cohort && lastOf(cohort);
  if (!cohort || !cell) return <p>{t.worth.nobody}</p>;
  const months = cohort.periods.filter((one) => one !== null).length;
  return (
    <p>
      {t.worth.of(t.worth.kinds[worth.by], nameOf(cohort))}{' '}
      <b>{orUnknown(cell.perPersonMinor, currency)}</b> {t.worth.after(months)}{' '}
      {between(cell, currency)}
    </p>
  );
}

function Curve({ worth: { cohorts, pooled, currency } }: { worth: Worth }) {
  const count = pooled.periods.filter((cell) => cell !== null).length;
  const units = (
    cells: Cohort['periods'],
    of: 'perPersonHigh' | 'perPersonLow' | 'perPersonMinor',
  ) =>
    cells.slice(0, count).map((cell) => {
      const minor = cell?.[of] ?? null;
      return minor === null ? null : wholeUnits(minor, currency);
    });
  return (
    <TimeChart
      title={t.worth.title}
      csvName="worth"
      height={PLOT_PX}
      {...namedPlaces(
        t.worth.months,
        Array.from({ length: count }, (_, index) => t.worth.after(index + 1)),
      )}
      series={[
        ...cohorts
          .filter((cohort) => (lastOf(cohort)?.perPersonMinor ?? null) !== null)
          .map((cohort) => ({
            key: cohort.from,
            name: nameOf(cohort),
            values: units(cohort.periods, 'perPersonMinor'),
            slot: 'other' as const,
            isQuiet: true,
          })),
        {
          key: 'all',
          name: t.worth.all,
          slot: 1,
          values: units(pooled.periods, 'perPersonMinor'),
          low: units(pooled.periods, 'perPersonLow'),
          high: units(pooled.periods, 'perPersonHigh'),
        },
      ]}
      format={moneyFormat(currency)}
    />
  );
}

function columnsOf(currency: string): Column<Cohort>[] {
  const of = (label: string, show: (cell: Cell) => string): Column<Cohort> => ({
    label,
    number: true,
    show: (cohort) => {
      const cell = lastOf(cohort);
      return cell ? show(cell) : UNKNOWN;
    },
  });
  return [
    { label: t.worth.months, show: nameOf },
    { label: t.worth.people, figure: ({ people }) => people },
    of(t.worth.person, (cell) => orUnknown(cell.perPersonMinor, currency)),
    of(t.worth.paying, (cell) => rate(cell.payingShare)),
    of(t.worth.payer, (cell) => orUnknown(cell.perPayerMinor, currency)),
  ];
}

export function WorthCard(props: { appId: string; asked: { currency?: string } }) {
  const [by, choose] = useChoice('worth', KINDS);
  const query = { by, ...props.asked };
  const worth = useApi(api.getRevenueCohorts, { id: props.appId, query });
  return (
    <Card
      title={t.worth.title}
      sub={<Info label={t.worth.title}>{t.worth.why}</Info>}
      actions={
        <Segmented
          label={t.worth.by}
          compact
          options={KINDS.map((kind) => [kind, t.worth.kinds[kind]] as const)}
          value={by}
          onChange={choose}
        />
      }
    >
      <Loaded query={worth} skeleton={<Skeleton shape="plot" />}>
        {(data) => (
          <>
            <Answer worth={data} />
            <Curve worth={data} />
            <Table
              caption={t.worth.title}
              columns={columnsOf(data.currency)}
              rows={sinceFirst(data.cohorts).toReversed()}
              keyOf={({ from }) => from}
            />
            <p class="quiet">
              {t.worth.nobodyKnown(
                data.money.nobody.purchases,
                money(data.money.nobody.netMinor, data.currency),
              )}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
