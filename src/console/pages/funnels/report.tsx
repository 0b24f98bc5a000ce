import type { FunnelReport as Report } from '../../../../clients/api/src/index.ts';
import { dayIn, duration, exactNumber, rate, roundRate, when } from '../../format.ts';
import { Bar } from '../../parts/bar.tsx';
import { BREAKDOWNS } from '../../parts/breakdowns.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Table } from '../../parts/table.tsx';
import { useMarks } from '../../state/marks.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { ComparedSteps } from './comparison.tsx';
import { People } from './people.tsx';
import { TooFew } from './too-few.tsx';

/** Longer windows are drawn by week. */
export const MAX_TREND_DAYS = 14;

type Step = Report['steps'][number];

const interval = (low: number | null, high: number | null) =>
  low === null || high === null ? '' : `${rate(low)} – ${rate(high)}`;

function StepRow({ step, entered }: { step: Step; entered: number }) {
  const people = step.people ?? 0;
  return (
    <li>
      <span>
        {step.label}
        {step.where && <span class="quiet"> {`${step.where.prop} = ${step.where.equals}`}</span>}
      </span>
      <Bar value={entered === 0 ? 0 : people / entered} />
      <span>
        <strong>{exactNumber(people)}</strong>
        {step.rateFromPrevious !== null && (
          <>
            {' '}
            {rate(step.rateFromPrevious)}{' '}
            <span class="quiet">
              ({interval(step.rateFromPreviousLow, step.rateFromPreviousHigh)})
              {step.medianSecondsFromPrevious !== null &&
                `, ${duration(step.medianSecondsFromPrevious)}`}
            </span>
          </>
        )}
        {step.verdict === 'biggest_leak' && <strong class="bad"> ◀ {t.biggestLeak}</strong>}
      </span>
    </li>
  );
}

function Steps({ report }: { report: Report }) {
  return (
    <>
      <FigureCard
        title={t.overall}
        figure={rate(report.overall.rate)}
        note={`${interval(report.overall.rateLow, report.overall.rateHigh)} · ${duration(
          report.overall.medianSeconds,
        )}`}
      />
      <ol class="steps">
        {report.steps.map((step) => (
          <StepRow key={step.index} step={step} entered={report.people} />
        ))}
      </ol>
      <People report={report} />
    </>
  );
}

type BreakdownProps = { report: Report; breakdown: NonNullable<Report['breakdown']> };

function Breakdown({ report, breakdown }: BreakdownProps) {
  const by = BREAKDOWNS.find(([value]) => value === breakdown.by)?.[1] ?? breakdown.by;
  const shown = (value: Report['overall'], people: number) =>
    value.rate === null
      ? t.fewTitle(people, report.minimumPeople)
      : `${rate(value.rate)} (${interval(value.rateLow, value.rateHigh)})`;
  return (
    <Table
      caption={t.breakdown}
      rows={breakdown.values}
      keyOf={({ value }) => value}
      csvName={`funnel-by-${breakdown.by}`}
      columns={[
        { label: by, show: ({ value }) => value },
        {
          label: t.people,
          number: true,
          show: ({ people }) => exactNumber(people),
          plain: ({ people }) => people,
        },
        {
          label: t.overall,
          number: true,
          show: ({ overall, people }) => shown(overall, people),
          plain: ({ overall }) => overall.rate,
        },
      ]}
    />
  );
}

export function FunnelReport({ report, days }: { report: Report; days: number }) {
  const marks = useMarks(report.appId, days);
  const immature = report.people - report.maturePeople;
  return (
    <>
      {report.verdict === 'ready' ? (
        <Steps report={report} />
      ) : (
        <TooFew report={report} days={days} />
      )}
      {report.hint && <p class="notice">{report.hint}</p>}
      {report.comparison && (
        <>
          <h2>{t.comparePrevious}</h2>
          <ComparedSteps report={report} comparison={report.comparison} />
        </>
      )}
      {report.trend?.some(({ rate: drawn }) => drawn !== null) && (
        <>
          <h2>{days > MAX_TREND_DAYS ? t.trend : t.trendDay}</h2>
          <TimeChart
            title={t.overall}
            csvName="funnel-trend"
            unit={days > MAX_TREND_DAYS ? 'week' : 'day'}
            days={report.trend.map(({ from }) => dayIn(from, report.timezone))}
            series={[
              {
                key: 'rate',
                name: t.overall,
                values: report.trend.map((point) => point.rate),
                low: report.trend.map((point) => point.rateLow),
                high: report.trend.map((point) => point.rateHigh),
              },
            ]}
            format={{ show: rate, tick: roundRate, goodWhen: 'up' }}
            height={244}
            marks={marks.drawn}
            isLastPartial={report.trend.at(-1)?.partial ?? false}
          />
        </>
      )}
      {report.breakdown && (
        <>
          <h2>{t.breakdown}</h2>
          <Breakdown report={report} breakdown={report.breakdown} />
        </>
      )}
      <p class="quiet">
        {t.through} {when(report.dataThrough)}. {immature > 0 && t.immature(immature)}
      </p>
    </>
  );
}
