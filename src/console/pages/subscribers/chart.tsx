import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { exactNumber, money, signedMoney, wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { moneyFormat } from '../../parts/chart/formats.ts';
import {
  type ChartSeries,
  type Format,
  TimeChart,
  type TooltipRow,
} from '../../parts/chart/index.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import { Segmented } from '../../parts/segmented.tsx';
import type { RangeState } from '../../state/range.ts';
import { subscribers as t } from '../../texts/subscribers.ts';
import { SUBJECTS, type Subject, subjectOf } from './subject.ts';

const PLOT_PX = 308;

const COUNTS: Format = { show: exactNumber, isWhole: true };

function seriesOf(subject: Subject, { byDay, currency }: Overview): ChartSeries[] {
  const counts = (key: string, name: string, of: (day: Overview['byDay'][number]) => number) => ({
    key,
    name,
    values: byDay.map(of),
  });
  switch (subject) {
    case 'active':
      return [
        { ...counts('active', t.active, ({ active }) => active), slot: 3 },
        { ...counts('retry', t.billingRetry, ({ billingRetry }) => billingRetry), slot: 2 },
      ];
    case 'trials':
      return [{ ...counts('trials', t.trials, ({ trials }) => trials), slot: 3 }];
    case 'moves':
      return [
        {
          ...counts(
            'new',
            t.steps.new,
            (day) => day.subscriptions.new + day.subscriptions.returned,
          ),
          slot: 3,
        },
        { ...counts('left', t.steps.churned, (day) => -day.subscriptions.churned), slot: 2 },
      ];
    default:
      return [
        {
          key: 'mrr',
          name: t.mrr,
          values: byDay.map(({ mrrMinor }) => wholeUnits(mrrMinor, currency)),
          slot: 3,
        },
      ];
  }
}

function rowsOf({ byDay, currency }: Overview, index: number): TooltipRow[] {
  const day = byDay[index];
  if (!day) return [];
  const { subscriptions, mrr } = day;
  const came = subscriptions.new + subscriptions.returned;
  return [
    ...(came > 0
      ? [
          {
            label: t.tooltip.came(came),
            value: signedMoney(mrr.new + mrr.returned, currency),
            tone: 'good' as const,
          },
        ]
      : []),
    ...(subscriptions.churned > 0
      ? [
          {
            label: t.tooltip.left(subscriptions.churned),
            value: signedMoney(-mrr.churned, currency),
            tone: 'bad' as const,
          },
        ]
      : []),
  ];
}

export function MainChart(props: {
  appId: string;
  overview: Overview;
  range: RangeState;
  subject: Subject;
  onSubject: (subject: Subject) => void;
}) {
  const { appId, overview, range, subject, onSubject } = props;
  const { byDay, currency, mrrProceedsMinor } = overview;
  const { drawn } = useMarks(appId, { from: overview.from, to: overview.to });
  const isLastPartial = byDay.at(-1)?.isComplete === false;
  const after =
    mrrProceedsMinor === null ? '' : `; ${t.proceeds(money(mrrProceedsMinor, currency))}`;
  const sub = subject === 'mrr' ? `${t.beforeCommission}${after}` : t.subs[subject];
  return (
    <Card
      title={t.charts[subject]}
      sub={sub}
      actions={
        <Segmented
          label={t.shown}
          compact
          options={SUBJECTS.map((one) => [one, t.charts[one]] as const)}
          value={subject}
          onChange={(text) => onSubject(subjectOf(text))}
        />
      }
    >
      <TimeChart
        title={t.charts[subject]}
        csvName={`subscribers-${subject}`}
        height={PLOT_PX}
        days={byDay.map(({ day }) => day)}
        series={seriesOf(subject, overview)}
        kind={subject === 'moves' ? 'bar' : 'line'}
        format={subject === 'mrr' ? moneyFormat(currency) : COUNTS}
        marks={drawn}
        isLastPartial={isLastPartial}
        partialText={t.nowShown}
        zone="UTC"
        rowsOf={(index) => rowsOf(overview, index)}
        onRange={(from, to) => range.setRange({ kind: 'dates', from, to })}
      />
    </Card>
  );
}
