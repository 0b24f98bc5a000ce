import { exactNumber, money, whenInZone } from '../../format.ts';
import { hrefOf } from '../../state/place.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { MetricCard } from './metric.tsx';
import type { Report } from './queries.ts';

const LEAST_P = 0.001;

const pInWords = (value: number): string =>
  value < LEAST_P ? `p < ${LEAST_P}` : `p = ${value.toFixed(value < 0.01 ? 3 : 2)}`;

/** In words that a small p does not turn round. */
export function splitInWords({ sampleRatio, arms }: Pick<Report, 'sampleRatio' | 'arms'>): string {
  const { verdict, pValue } = sampleRatio;
  const counts = arms.map(({ people }) => exactNumber(people)).join(t.to);
  if (verdict === 'too_few_people' || pValue === null) return t.splits.too_few_people;
  return t.splits[verdict](counts, pInWords(pValue));
}

export function Answer({ report }: { report: Report }) {
  const { answer, notice, sampleRatio } = report;
  return (
    <>
      {sampleRatio.verdict === 'do_not_trust' && <p class="notice bad">{splitInWords(report)}</p>}
      {answer && (
        <p class={answer.verdict === 'ahead' ? 'verdict good' : 'verdict'}>{answer.text}</p>
      )}
      {notice && (
        <p class="notice warn">
          {t.nobodyEntered} <a href={hrefOf('funnels', report.appId) ?? '/'}>{t.toFunnels}</a>
        </p>
      )}
    </>
  );
}

export function Metrics({ report }: { report: Report }) {
  const { measured } = report;
  return (
    <>
      {measured?.metrics.map((metric) => (
        <MetricCard key={metric.id} metric={metric} measured={measured} report={report} />
      ))}
      <p class="quiet">{t.meaning}</p>
    </>
  );
}

function cappedText({
  cappedPeople,
  capMinor,
  currency,
  capPercentile,
}: NonNullable<NonNullable<Report['measured']>['revenue']>): string[] {
  if (capMinor === null || cappedPeople === 0) return [];
  return [t.capped(cappedPeople, money(capMinor, currency), capPercentile)];
}

export function footOf(report: Report, isRunning: boolean, zone: string): string[] {
  const { measured, mixedPeople, sampleRatio } = report;
  const overridden = measured?.overriddenPeople ?? 0;
  return [
    ...(sampleRatio.verdict === 'do_not_trust' ? [] : [splitInWords(report)]),
    t.mixed(mixedPeople),
    ...(overridden > 0 ? [t.overridden(overridden)] : []),
    ...(measured
      ? [
          isRunning ? t.running(measured.fullDays) : t.ranFor(measured.fullDays),
          t.counted(measured.people, report.people, measured.windowHours),
          ...(measured.revenue
            ? [
                t.joined(measured.revenue.joined, measured.revenue.purchases),
                ...cappedText(measured.revenue),
              ]
            : []),
        ]
      : []),
    t.through(whenInZone(report.dataThrough, zone)),
  ];
}
