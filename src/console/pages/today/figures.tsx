import { signedMoney } from '../../format.ts';
import { Grown } from '../../parts/change.tsx';
import {
  ConversionKpi,
  type DayNames,
  MrrKpi,
  PeopleKpi,
  SalesKpi,
} from '../../parts/figure-kpis/index.ts';
import { Kpis } from '../../parts/kpis.tsx';
import { FailedNotice } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { knownDays } from '../../state/app-figures.ts';
import type { RangeState } from '../../state/range.ts';
import type { RevenueSum } from '../../state/revenue-of-all.ts';
import { figures } from '../../texts/figures.ts';
import { today as t } from '../../texts/today.ts';
import type { Overview } from './overview.ts';

export const SUBJECTS = ['people', 'new', 'conversion', 'proceeds', 'mrr'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The figure that the chart below is of, kept in the address. */
export function useSubject(usual: Subject): [Subject, (subject: Subject) => void] {
  const [text, choose] = useSetting('chart', usual);
  return [SUBJECTS.find((one) => one === text) ?? usual, choose];
}

const PEOPLE: DayNames = {
  yesterday: figures.peopleYesterday,
  today: figures.peopleToday,
  on: figures.peopleOn,
};
const NEW: DayNames = {
  yesterday: figures.newYesterday,
  today: figures.newToday,
  on: figures.newOn,
};

/** A shorter range is said as a whole. */
const LATELY_DAYS = 7;

function Lately({ revenue }: { revenue: RevenueSum }) {
  const { mrrByDay, mrrMinor, startMinor, currency, active } = revenue;
  const days = Math.min(LATELY_DAYS, mrrByDay.length);
  const before = mrrByDay.length > days ? (mrrByDay.at(-1 - days) ?? startMinor) : startMinor;
  const grown = mrrMinor - before;
  const { amount, words } = t.change(signedMoney(grown, currency), days);
  return <Grown by={grown} text={amount} since={`${words}, ${t.active(active)}`} />;
}

export function Figures(props: {
  overview: Overview;
  range: RangeState;
  subject: Subject;
  choose: (subject: Subject) => void;
}) {
  const { overview, range, subject, choose } = props;
  const { people, newPeople, conversion, sales, revenue, queries } = overview;
  const cell = (of: Subject, failed: boolean) => ({
    isSubject: subject === of,
    onClick: () => choose(of),
    failed,
  });
  const hasFailed = (name: keyof Overview['queries']) => queries[name].value.error !== undefined;
  const sold = queries.sales.value.data;
  // People and conversion have a card that says why.
  const unsaid = [queries.newPeople, queries.sales, queries.revenue];
  const failed = unsaid.filter(({ value }) => value.error && value.data === undefined);
  return (
    <>
      <FailedNotice failed={failed} />
      <Kpis label={t.figures}>
        <PeopleKpi
          {...cell('people', hasFailed('people'))}
          names={PEOPLE}
          meaning={figures.meanings.people}
          people={people}
          today={range.today}
        />
        <PeopleKpi
          {...cell('new', hasFailed('newPeople') || hasFailed('people'))}
          names={NEW}
          meaning={figures.meanings.newPeople}
          people={newPeople}
          today={range.today}
        />
        <ConversionKpi
          {...cell('conversion', hasFailed('conversion'))}
          conversion={conversion}
          days={range.days}
        />
        <SalesKpi
          {...cell('proceeds', hasFailed('sales'))}
          of="proceeds"
          sales={sales}
          days={range.days}
          known={sold ? knownDays(sold, range) : null}
        />
        <MrrKpi
          {...cell('mrr', hasFailed('revenue'))}
          revenue={revenue}
          change={revenue && <Lately revenue={revenue} />}
        />
      </Kpis>
    </>
  );
}
