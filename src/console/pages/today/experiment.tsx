import { money, rate, signedMoney, signedPoints } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Difference, Interval, type Scale, scaleOf } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, ErrorNotice, Skeleton } from '../../parts/states.tsx';
import type { ExperimentReport, Result } from '../../state/experiments.ts';
import { hrefOf } from '../../state/place.ts';
import type { Query } from '../../state/query.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { IntervalRow } from './interval-row.tsx';

const t = todayTexts.experiment;

type Metric = NonNullable<ExperimentReport['measured']>['metrics'][number];
type Slot = 1 | 2 | 3 | 4 | 5 | 6;
const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];

const decidingOf = ({ measured }: ExperimentReport): Metric | undefined =>
  measured?.metrics.find(({ role }) => role === 'deciding') ?? measured?.metrics[0];

function Arms({ report, metric }: { report: ExperimentReport; metric: Metric }) {
  const isMoney = metric.kind === 'revenue';
  const currency = report.measured?.revenue?.currency ?? 'USD';
  const show = (value: number | null) =>
    value !== null && isMoney ? money(Math.round(value), currency) : rate(value);
  const scale = scaleOf(metric.arms.flatMap(({ low, high, mean }) => [low, high, mean]));
  const names = new Map(report.arms.map(({ id, name }) => [id, name]));
  return (
    <>
      {metric.arms.map(({ armId, people, mean, low, high }, index) => (
        <IntervalRow
          key={armId}
          name={names.get(armId) ?? armId}
          below={t.people(people)}
          figure={show(mean)}
        >
          <Interval scale={scale} value={mean} low={low} high={high} slot={SLOTS[index] ?? 1} />
        </IntervalRow>
      ))}
      <Differences report={report} metric={metric} names={names} />
    </>
  );
}

function Differences(props: {
  report: ExperimentReport;
  metric: Metric;
  names: ReadonlyMap<string, string>;
}) {
  const { report, metric, names } = props;
  const { differences, arms, kind } = metric;
  const control = arms.find(({ armId }) => armId === report.measured?.controlArmId);
  const margin = (control?.mean ?? 0) * (report.measured?.margin ?? 0);
  const currency = report.measured?.revenue?.currency ?? 'USD';
  const scale: Scale = scaleOf([
    -margin,
    margin,
    ...differences.flatMap(({ low, high, difference }) => [low, high, difference]),
  ]);
  const show = (value: number) =>
    kind === 'revenue' ? signedMoney(Math.round(value), currency) : signedPoints(value);
  return (
    <>
      {differences.map(({ armId, difference, low, high }) => (
        <IntervalRow
          key={`difference ${armId}`}
          name={differences.length > 1 ? t.differenceOf(names.get(armId) ?? armId) : t.difference}
          below={kind === 'revenue' ? '' : t.points}
          figure={difference === null ? rate(null) : show(difference)}
        >
          <Difference scale={scale} value={difference} low={low} high={high} margin={margin} />
        </IntervalRow>
      ))}
    </>
  );
}

function None({ appId }: { appId: string }) {
  return (
    <Card title={t.all}>
      <Empty
        icon={icons.experiments}
        title={t.none}
        text={t.noneWhy}
        action={<Button href={hrefOf('experiments', appId) ?? '/'}>{t.open}</Button>}
      />
    </Card>
  );
}

export function ExperimentCard({ appId, query }: { appId: string; query: Query<Result[]> }) {
  const { data, error } = query.value;
  if (error && !data) {
    return (
      <Card title={t.all}>
        <ErrorNotice error={error} refetch={query.refetch} />
      </Card>
    );
  }
  if (!data) {
    return (
      <Card title={t.all}>
        <Skeleton count={4} />
      </Card>
    );
  }
  const [newest] = data;
  if (!newest) return <None appId={appId} />;
  const { experiment, report } = newest;
  const metric = decidingOf(report);
  return (
    <Card
      title={experiment.name}
      sub={
        report.measured && <span class="chip accent">{t.running(report.measured.fullDays)}</span>
      }
      href={`/apps/${appId}/experiments/${experiment.id}`}
      class="experiment-card"
    >
      <div>{metric && <Arms report={report} metric={metric} />}</div>
      {report.answer && <p class="experiment-answer">{report.answer.text}</p>}
    </Card>
  );
}
