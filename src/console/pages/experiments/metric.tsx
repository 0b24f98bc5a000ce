import {
  exactNumber,
  money,
  rate,
  signedMoney,
  signedPoints,
  UNKNOWN,
  wholeUnits,
} from '../../format.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { scaleOf, Whisker } from '../../parts/whisker.tsx';
import { experiments as t } from '../../texts/experiments.ts';
import type { Report } from './queries.ts';

type Measured = NonNullable<Report['measured']>;
type Metric = Measured['metrics'][number];
type Difference = Metric['differences'][number];
type Row = { name: string; arm: Metric['arms'][number]; difference: Difference | undefined };

const TONES = {
  better: 'good',
  worse: 'bad',
  no_difference: 'quiet',
  not_decided: 'quiet',
} as const;

function formatsOf(metric: Metric, currency: string) {
  if (metric.kind !== 'revenue') return { show: rate, change: signedPoints, unit: t.points };
  const show = (value: number | null) =>
    value === null ? UNKNOWN : money(Math.round(value), currency);
  return { show, change: (value: number) => signedMoney(Math.round(value), currency), unit: '' };
}

function columnsOf(metric: Metric, measured: Measured, control: string): Column<Row>[] {
  const currency = measured.revenue?.currency ?? 'USD';
  const { show, change, unit } = formatsOf(metric, currency);
  const isMoney = metric.kind === 'revenue';
  const plain = (value: number | null) =>
    value !== null && isMoney ? wholeUnits(value, currency) : value;
  const shares = scaleOf(metric.arms.flatMap(({ low, mean, high }) => [low, mean, high]));
  const margin = measured.margin * (metric.arms[0]?.mean ?? 0);
  const differences = scaleOf([
    -margin,
    margin,
    ...metric.differences.flatMap(({ low, high }) => [low, high]),
  ]);
  return [
    {
      label: t.anArm,
      show: ({ name }) => <span class="named">{name}</span>,
      plain: ({ name }) => name,
    },
    {
      label: t.people,
      number: true,
      show: ({ arm }) => exactNumber(arm.people),
      plain: ({ arm }) => arm.people,
    },
    {
      label: isMoney ? t.paid : t.did,
      number: true,
      show: ({ arm: { total } }) =>
        total === null ? UNKNOWN : isMoney ? show(total) : exactNumber(total),
      plain: ({ arm }) => plain(arm.total),
    },
    {
      label: isMoney ? t.perPerson : t.share,
      number: true,
      show: ({ arm }) =>
        arm.mean === null ? t.few(arm.people) : <strong>{show(arm.mean)}</strong>,
      plain: ({ arm }) => plain(arm.mean),
    },
    {
      label: t.interval,
      show: ({ arm: { low, mean, high } }) => (
        <span class="whiskered">
          <Whisker scale={shares} low={low} value={mean} high={high} />
          {low !== null && <span class="quiet">{`${show(low)} – ${show(high)}`}</span>}
        </span>
      ),
      plain: ({ arm: { low, high } }) => (low === null ? null : `${plain(low)} – ${plain(high)}`),
    },
    {
      label: t.toControl(control),
      show: ({ difference }) =>
        difference && (
          <span class="whiskered">
            <Whisker
              scale={differences}
              low={difference.low}
              value={difference.difference}
              high={difference.high}
              margin={margin}
            />
            {difference.difference !== null && (
              <>
                {change(difference.difference)}
                {unit}{' '}
                <span class="quiet">
                  ({change(difference.low ?? 0)} … {change(difference.high ?? 0)})
                </span>
              </>
            )}{' '}
            <span class={TONES[difference.verdict]}>{t.verdicts[difference.verdict]}</span>
          </span>
        ),
      plain: ({ difference }) => plain(difference?.difference ?? null),
    },
  ];
}

/** One metric: each arm with its interval, and its difference from the first, on common scales. */
export function MetricTable(props: { metric: Metric; measured: Measured; report: Report }) {
  const { metric, measured, report } = props;
  const nameOf = (id: string) => report.arms.find((arm) => arm.id === id)?.name ?? id;
  const rows = metric.arms.map((arm) => ({
    name: nameOf(arm.armId),
    arm,
    difference: metric.differences.find(({ armId }) => armId === arm.armId),
  }));
  const more = metric.better === 'lower' ? `, ${t.better.toLowerCase()} ${t.betters.lower}` : '';
  return (
    <section>
      <h3>
        {metric.name}{' '}
        <span class="quiet">
          {t.kinds[metric.kind]}, {t.roles[metric.role]}
          {more}
        </span>
      </h3>
      <Table
        caption={metric.name}
        rows={rows}
        keyOf={({ arm }) => arm.armId}
        csvName={`experiment-${metric.id}`}
        columns={columnsOf(metric, measured, nameOf(measured.controlArmId))}
      />
    </section>
  );
}
