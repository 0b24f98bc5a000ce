import { shortDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Difference, IntervalScale, type Scale, scaleOf } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Skeleton } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import type { Experiment, ExperimentReport, useExperiments } from '../../state/experiments.ts';
import { mapped } from '../../state/mapped.ts';
import { useQueries } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { question } from '../../state/use-api.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { decidingOf, formatsOf, marginOf, type Difference as Result } from './deciding.ts';

type Row = { experiment: Experiment; report: ExperimentReport | undefined; isOver: boolean };
type Drawn = { result: Result; margin: number; mean: number; said: string; arm: string };

function drawnOf({ report }: Row): Drawn | null {
  const measured = report?.measured;
  const metric = measured && decidingOf(measured);
  if (!measured || !metric) return null;
  const result =
    metric.differences.find(({ verdict }) => verdict === 'better') ?? metric.differences[0];
  const mean = metric.arms.find(({ armId }) => armId === measured.controlArmId)?.mean ?? 0;
  if (!result || result.difference === null || mean <= 0) return null;
  return {
    result,
    mean,
    margin: marginOf(metric, measured) / mean,
    said: formatsOf(metric, measured).change(result.difference),
    arm: report.arms.find(({ id }) => id === result.armId)?.name ?? '',
  };
}

const shareOf = (value: number | null, { mean }: Drawn): number | null =>
  value === null ? null : value / mean;

function resultColumn(rows: readonly Row[]): Column<Row> {
  const all = rows.flatMap((row) => drawnOf(row) ?? []);
  const scale: Scale = scaleOf(
    all.flatMap((one) => [
      shareOf(one.result.low, one),
      shareOf(one.result.high, one),
      one.margin,
      -one.margin,
    ]),
  );
  return {
    label: t.result,
    show: (row) => {
      const drawn = drawnOf(row);
      if (!drawn) {
        if (row.experiment.status === 'draft') return null;
        return row.isOver ? (
          <span class="quiet">{t.noResult}</span>
        ) : (
          <span class="skeleton result-skeleton" />
        );
      }
      const { result } = drawn;
      return (
        <>
          <Difference
            scale={scale}
            value={shareOf(result.difference, drawn)}
            low={shareOf(result.low, drawn)}
            high={shareOf(result.high, drawn)}
            margin={drawn.margin}
          />
          <span class="sub">
            {`${drawn.arm}: ${drawn.said}`} <span>{t.verdicts[result.verdict]}</span>
          </span>
        </>
      );
    },
    plain: (row) => drawnOf(row)?.result.difference ?? null,
    foot:
      all.length > 0 ? (
        <IntervalScale scale={scale} format={{ show: t.shareOfControl }} />
      ) : (
        <div class="scale-place" />
      ),
  };
}

function columnsOf(rows: readonly Row[]): Column<Row>[] {
  return [
    {
      label: t.name,
      show: ({ experiment }) => experiment.name,
      second: ({ experiment }) => experiment.arms.map(({ name }) => name).join(', '),
      narrow: true,
    },
    {
      label: t.status,
      show: ({ experiment: { status, shipped, arms } }) => (
        <>
          <span class={status === 'running' ? 'chip accent' : 'chip'}>{t.statuses[status]}</span>
          {shipped && (
            <span class="quiet">
              {` ${t.wasShipped(arms.find(({ id }) => id === shipped.armId)?.name ?? '')}`}
            </span>
          )}
        </>
      ),
      plain: ({ experiment }) => experiment.status,
      narrow: true,
    },
    {
      label: t.people,
      figure: ({ report }) => report?.people ?? null,
      sort: true,
      narrow: true,
    },
    resultColumn(rows),
    {
      label: t.started,
      show: ({ experiment: { startedAt } }) => startedAt && shortDay(startedAt.slice(0, 10)),
      plain: ({ experiment }) => experiment.startedAt,
      sort: true,
    },
    {
      label: t.stopped,
      show: ({ experiment: { stoppedAt } }) => stoppedAt && shortDay(stoppedAt.slice(0, 10)),
      plain: ({ experiment }) => experiment.stoppedAt,
      sort: true,
    },
  ];
}

function useRows(experiments: readonly Experiment[]): Row[] {
  const begun = experiments.filter(({ status }) => status !== 'draft');
  const reports = useQueries(
    begun.map(({ id, appId }) =>
      question(api.getExperimentReport, { id: appId, experimentId: id }, id),
    ),
  );
  return experiments.map((experiment) => {
    const query = reports[begun.indexOf(experiment)]?.value;
    const isOver = query?.data !== undefined || query?.error !== undefined;
    return { experiment, report: query?.data, isOver };
  });
}

export function All(props: { experiments: ReturnType<typeof useExperiments>; onAdd: () => void }) {
  const rows = useRows(props.experiments.value.data ?? []);
  const add = (
    <Button kind="primary" icon={icons.add} onClick={props.onAdd} disabledWhy={whyNotEdit.value}>
      {t.add}
    </Button>
  );
  return (
    <ListCard
      title={t.all}
      class="experiments-list"
      count={null}
      query={mapped(props.experiments, () => rows)}
      skeleton={<Skeleton count={3} />}
      empty={{ icon: icons.experiments, title: t.none, text: t.empty, action: add }}
      keyOf={({ experiment }) => experiment.id}
      csvName="experiments"
      rowHref={({ experiment }) => `/apps/${experiment.appId}/experiments/${experiment.id}`}
      columns={columnsOf(rows)}
    />
  );
}
