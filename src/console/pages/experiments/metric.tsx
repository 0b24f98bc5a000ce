import { exactNumber, UNKNOWN } from '../../format.ts';
import {
  Difference as DifferencePicture,
  Interval,
  IntervalScale,
  scaleOf,
  Swatch,
} from '../../parts/chart/index.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import { TableCard } from '../../parts/list-card.tsx';
import type { Column } from '../../parts/table.tsx';
import { experiments as t } from '../../texts/experiments.ts';
import {
  type Difference,
  formatsOf,
  type Measured,
  type Metric,
  marginOf,
  POINTS,
} from './deciding.ts';
import type { Report } from './queries.ts';

type Row = {
  name: string;
  index: number;
  arm: Metric['arms'][number];
  difference: Difference | undefined;
};

const TONES = { better: 'good', worse: 'bad', no_difference: '', not_decided: '' } as const;

function figuresOf(metric: Metric, measured: Measured): Column<Row>[] {
  const { show, plain } = formatsOf(metric, measured);
  const isMoney = metric.kind === 'revenue';
  return [
    {
      label: t.anArm,
      show: ({ name, index }) => (
        <span class="arm-name-cell">
          <Swatch slot={slotOf(index)} />
          <span class="cut">{name}</span>
        </span>
      ),
      plain: ({ name }) => name,
      narrow: true,
    },
    { label: t.people, figure: ({ arm }) => arm.people },
    {
      label: isMoney ? t.paid : t.did,
      number: true,
      show: ({ arm: { total } }) =>
        total === null ? UNKNOWN : isMoney ? show(total) : exactNumber(total),
      plain: ({ arm }) => (isMoney ? plain(arm.total) : arm.total),
    },
    {
      label: isMoney ? t.perPerson : t.share,
      number: true,
      show: ({ arm }) =>
        arm.mean === null ? t.few(arm.people) : <strong>{show(arm.mean)}</strong>,
      plain: ({ arm }) => plain(arm.mean),
      narrow: true,
    },
  ];
}

function intervalColumn(metric: Metric, measured: Measured): Column<Row> {
  const { show, plain, shares } = formatsOf(metric, measured);
  const scale = scaleOf(metric.arms.flatMap(({ low, mean, high }) => [low, mean, high]));
  return {
    label: t.interval,
    show: ({ index, arm: { low, mean, high } }) => (
      <>
        <Interval scale={scale} low={low} value={mean} high={high} slot={slotOf(index)} />
        {low !== null && <span class="sub">{`${show(low)} – ${show(high)}`}</span>}
      </>
    ),
    plain: ({ arm: { low, high } }) => (low === null ? null : `${plain(low)} – ${plain(high)}`),
    foot: <IntervalScale scale={scale} format={shares} />,
  };
}

function differenceColumn(metric: Metric, measured: Measured, control: string): Column<Row> {
  const { change, plain, differences } = formatsOf(metric, measured);
  const margin = marginOf(metric, measured);
  const scale = scaleOf([
    -margin,
    margin,
    ...metric.differences.flatMap(({ low, high }) => [low, high]),
  ]);
  return {
    label: t.toControl(control),
    show: ({ difference }) =>
      difference && (
        <>
          <DifferencePicture
            scale={scale}
            low={difference.low}
            value={difference.difference}
            high={difference.high}
            margin={margin}
          />
          <span class="sub">
            {difference.difference !== null && (
              <>
                <strong>{change(difference.difference)}</strong> (
                {change(difference.low ?? 0).replace(POINTS, '')} …{' '}
                {change(difference.high ?? 0).replace(POINTS, '')}){' '}
              </>
            )}
            <span class={`chip ${TONES[difference.verdict]}`}>
              {t.verdicts[difference.verdict]}
            </span>
          </span>
        </>
      ),
    plain: ({ difference }) => plain(difference?.difference ?? null),
    foot: <IntervalScale scale={scale} format={differences} />,
    narrow: true,
  };
}

export function MetricCard(props: { metric: Metric; measured: Measured; report: Report }) {
  const { metric, measured, report } = props;
  const nameOf = (id: string) => report.arms.find((arm) => arm.id === id)?.name ?? id;
  const rows = metric.arms.map((arm, index) => ({
    name: nameOf(arm.armId),
    index,
    arm,
    difference: metric.differences.find(({ armId }) => armId === arm.armId),
  }));
  const more = metric.better === 'lower' ? `, ${t.better.toLowerCase()} ${t.betters.lower}` : '';
  return (
    <TableCard
      title={metric.name}
      sub={`${t.kinds[metric.kind]}, ${t.roles[metric.role]}${more}`}
      class="metric-card"
      rows={rows}
      keyOf={({ arm }) => arm.armId}
      csvName={`experiment-${metric.id}`}
      columns={[
        ...figuresOf(metric, measured),
        intervalColumn(metric, measured),
        differenceColumn(metric, measured, nameOf(measured.controlArmId)),
      ]}
    />
  );
}
