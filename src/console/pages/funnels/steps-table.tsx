import { exactNumber, rate, rateInterval, UNKNOWN } from '../../format.ts';
import { Heat, Swatch } from '../../parts/chart/index.ts';
import type { Cell } from '../../parts/csv.ts';
import { downloadCsv } from '../../parts/download.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { dimensionOf } from '../../state/filter-rules.ts';
import { dimensionLabel, REST } from '../../state/sent-values.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { certainTone, type Figures, type Group, leakOf, type Step } from './groups.ts';
import type { FunnelReport } from './queries.ts';
import { headOr, stepWords } from './step-words.ts';
import type { StepsProps } from './steps-props.ts';

type Row = { name: string; figures: Figures; group: Group | null };

const rowsOf = (groups: readonly Group[]): Row[] =>
  groups.map((group) => ({ name: group.name, figures: group.figures, group }));

const allOf = (report: FunnelReport): Row => ({ name: t.all, figures: report, group: null });

export function dimensionName({ breakdown }: Pick<FunnelReport, 'breakdown'>): string {
  if (!breakdown) return t.group;
  const dimension = dimensionOf(breakdown.by);
  return dimension ? dimensionLabel(dimension) : breakdown.by;
}

function RateCell({ step, reference }: { step: Step | undefined; reference: Step | undefined }) {
  const low = step?.rateFromPreviousLow ?? null;
  const high = step?.rateFromPreviousHigh ?? null;
  if (!step || step.rateFromPrevious === null || low === null || high === null) {
    return <>{UNKNOWN}</>;
  }
  return (
    <Heat tone={certainTone(step, reference)}>
      <b>{rate(step.rateFromPrevious)}</b> <small>{rateInterval(low, high)}</small>
    </Heat>
  );
}

function Conversion({ overall }: Pick<Figures, 'overall'>) {
  const { rateLow, rateHigh } = overall;
  if (overall.rate === null || rateLow === null || rateHigh === null) return <>{UNKNOWN}</>;
  return (
    <>
      <b>{rate(overall.rate)}</b> <span class="quiet">{rateInterval(rateLow, rateHigh)}</span>
    </>
  );
}

function stopOf({ steps }: FunnelReport): { at: number; label: string } | null {
  const at = leakOf(steps);
  const before = steps[at - 1];
  return before ? { at, label: headOr(stepWords(before).stopped, t.stoppedThere) } : null;
}

function stoppedColumn(props: StepsProps): Column<Row>[] {
  const { report, canListGroups, hrefOf } = props;
  const stop = stopOf(report);
  if (!stop) return [];
  const { at: leak, label } = stop;
  return [
    {
      label,
      number: true,
      sort: ({ figures }) => figures.steps[leak]?.dropped ?? null,
      show: ({ figures, group }) => {
        const stopped = figures.steps[leak]?.dropped ?? null;
        if (stopped === null) return UNKNOWN;
        if (stopped === 0 || group?.value === REST || (group && !canListGroups))
          return t.people(stopped);
        const listed = { step: leak + 1, kind: 'stopped', entered: undefined } as const;
        return <a href={hrefOf({ ...listed, of: group?.value })}>{t.people(stopped)}</a>;
      },
    },
  ];
}

function columnsOf(props: StepsProps): Column<Row>[] {
  const { report, groups, reference } = props;
  const [first] = report.steps;
  return [
    {
      label: groups.length > 0 ? dimensionName(report) : t.who.name,
      show: ({ name, group, figures }) => (
        <span class="group-name">
          {group && <Swatch slot={group.slot} />}
          <b title={name}>{name}</b>
          {figures.verdict !== 'ready' && (
            <span class="quiet">{t.tooFewForRate(figures.people, report.minimumPeople)}</span>
          )}
        </span>
      ),
    },
    {
      label: first?.label ?? '',
      number: true,
      sort: ({ figures }) => figures.people,
      show: ({ figures }) => <b>{exactNumber(figures.people)}</b>,
    },
    ...report.steps.slice(1).map(
      (step, index): Column<Row> => ({
        label: t.next(step.label),
        number: true,
        sort: ({ figures }) => figures.steps[index + 1]?.rateFromPrevious ?? null,
        show: ({ figures, group }) => (
          <RateCell
            step={figures.steps[index + 1]}
            reference={group ? reference.figures.steps[index + 1] : undefined}
          />
        ),
      }),
    ),
    {
      label: t.conversionColumn,
      number: true,
      sort: ({ figures }) => figures.overall.rate,
      show: ({ figures }) => <Conversion overall={figures.overall} />,
    },
    ...stoppedColumn(props),
  ];
}

export function StepsTable(props: StepsProps) {
  const { report, groups } = props;
  return (
    <div class="funnel-table flush">
      <Table
        caption={groups.length > 0 ? t.tableBy(dimensionName(report)) : t.table}
        rows={rowsOf(groups)}
        total={allOf(report)}
        keyOf={({ group }) => (group ? `=${group.value}` : '*')}
        csvName={null}
        columns={columnsOf(props)}
      />
    </div>
  );
}

export function saveSteps(report: FunnelReport, groups: readonly Group[]): void {
  const heads = report.steps.flatMap(({ label }, index) => [
    t.peopleOfStep(label),
    ...(index > 0 ? [t.rateOfStep(label), t.lowOfStep(label), t.highOfStep(label)] : []),
  ]);
  const stop = stopOf(report);
  const line = ({ name, figures }: Row): Cell[] => [
    name,
    ...figures.steps.flatMap((step, index) => [
      index === 0 ? figures.people : step.people,
      ...(index > 0
        ? [step.rateFromPrevious, step.rateFromPreviousLow, step.rateFromPreviousHigh]
        : []),
    ]),
    ...[figures.overall.rate, figures.overall.rateLow, figures.overall.rateHigh],
    ...(stop ? [figures.steps[stop.at]?.dropped ?? null] : []),
  ];
  const conversion = t.conversionColumn;
  downloadCsv('funnel-steps.csv', [
    [
      groups.length > 0 ? dimensionName(report) : t.who.name,
      ...heads,
      ...[t.rateOfStep(conversion), t.lowOfStep(conversion), t.highOfStep(conversion)],
      ...(stop ? [stop.label] : []),
    ],
    ...[...rowsOf(groups), allOf(report)].map(line),
  ]);
}
