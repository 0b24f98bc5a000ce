import { UNKNOWN } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Difference, Interval, type Scale, scaleOf } from '../../parts/chart/index.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import type { ExperimentReport, Result } from '../../state/experiments.ts';
import { hrefOf } from '../../state/place.ts';
import type { Query } from '../../state/query.ts';
import { today as todayTexts } from '../../texts/today.ts';
import {
  decidingOf,
  formatsOf,
  marginOf,
  type Measured,
  type Metric,
} from '../experiments/deciding.ts';
import { IntervalRow } from './interval-row.tsx';

const t = todayTexts.experiment;

type Props = { report: ExperimentReport; measured: Measured; metric: Metric };

function Arms({ report, measured, metric }: Props) {
  const { show } = formatsOf(metric, measured);
  const scale = scaleOf(metric.arms.flatMap(({ low, high, mean }) => [low, high, mean]));
  const nameOf = (id: string) => report.arms.find((arm) => arm.id === id)?.name ?? id;
  return (
    <>
      {metric.arms.map(({ armId, people, mean, low, high }, index) => (
        <IntervalRow key={armId} name={nameOf(armId)} below={t.people(people)} figure={show(mean)}>
          <Interval scale={scale} value={mean} low={low} high={high} slot={slotOf(index)} />
        </IntervalRow>
      ))}
      <Differences {...{ measured, metric, nameOf }} />
    </>
  );
}

function Differences(props: Omit<Props, 'report'> & { nameOf: (armId: string) => string }) {
  const { measured, metric, nameOf } = props;
  const { differences, kind } = metric;
  const margin = marginOf(metric, measured);
  const { show } = formatsOf(metric, measured).differences;
  const scale: Scale = scaleOf([
    -margin,
    margin,
    ...differences.flatMap(({ low, high, difference }) => [low, high, difference]),
  ]);
  return (
    <>
      {differences.map(({ armId, difference, low, high }) => (
        <IntervalRow
          key={`difference ${armId}`}
          name={differences.length > 1 ? t.differenceOf(nameOf(armId)) : t.difference}
          below={kind === 'revenue' ? '' : t.points}
          figure={difference === null ? UNKNOWN : show(difference)}
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
  const [newest] = query.value.data ?? [];
  if (query.value.data && !newest) return <None appId={appId} />;
  const days = newest?.report.measured?.fullDays;
  return (
    <Card
      title={newest?.experiment.name ?? t.all}
      sub={days !== undefined && <span class="chip accent">{t.running(days)}</span>}
      {...(newest && { href: `/apps/${appId}/experiments/${newest.experiment.id}` })}
      class={newest && 'experiment-card'}
    >
      <Loaded query={query} skeleton={<Skeleton count={4} />}>
        {() => newest && <Newest report={newest.report} />}
      </Loaded>
    </Card>
  );
}

function Newest({ report }: { report: ExperimentReport }) {
  const { measured, answer } = report;
  const metric = measured && decidingOf(measured);
  return (
    <>
      <div>{metric && <Arms {...{ report, measured, metric }} />}</div>
      {answer && <p class="experiment-answer">{answer.text}</p>}
    </>
  );
}
