import { when } from '../../format.ts';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { funnels as funnelsTexts } from '../../texts/funnels.ts';
import { MetricTable } from './metric.tsx';
import type { Experiment, Report } from './queries.ts';

const POLL_SECONDS = 60;

const pValue = (value: number | null): string =>
  value === null ? '' : value < 0.001 ? ' (p < 0.001)' : ` (p = ${value.toFixed(2)})`;

/** Whether the split itself is sound, and who is left out. */
function Split({ report }: { report: Report }) {
  const { sampleRatio, mixedPeople, measured } = report;
  const { verdict } = sampleRatio;
  const text = `${t.splits[verdict]}${pValue(sampleRatio.pValue)}.`;
  const overridden = measured?.overriddenPeople ?? 0;
  return (
    <>
      {verdict === 'do_not_trust' && <p class="notice bad">{text}</p>}
      <p>
        {verdict !== 'do_not_trust' && text} {t.mixed(mixedPeople)}{' '}
        {overridden > 0 && t.overridden(overridden)}
      </p>
    </>
  );
}

function Result({ report, isRunning }: { report: Report; isRunning: boolean }) {
  const { answer, measured, notice } = report;
  return (
    <>
      {answer && (
        <p class={answer.verdict === 'ahead' ? 'verdict good' : 'verdict'}>{answer.text}</p>
      )}
      {notice && (
        <p class="notice warning">
          {t.nobodyEntered} <a href={`/apps/${report.appId}/funnels`}>{t.toFunnels}</a>
        </p>
      )}
      {measured?.metrics.map((metric) => (
        <MetricTable key={metric.id} metric={metric} measured={measured} report={report} />
      ))}
      <Split report={report} />
      {measured && (
        <p class="quiet">
          {isRunning ? t.running(measured.fullDays) : t.ranFor(measured.fullDays)}{' '}
          {t.counted(measured.people, report.people, measured.windowHours)}{' '}
          {measured.revenue && t.joined(measured.revenue.joined, measured.revenue.purchases)}{' '}
          {t.meaning}
        </p>
      )}
      <p class="quiet">
        {funnelsTexts.through} {when(report.dataThrough)}.
      </p>
    </>
  );
}

export function ExperimentReport({ experiment }: { experiment: Experiment }) {
  const { appId, id, status } = experiment;
  const isRunning = status === 'running';
  const report = useQuery(
    `experiment report ${id} ${status}`,
    (signal) => api.getExperimentReport({ id: appId, experimentId: id }, { signal }),
    { everySeconds: isRunning ? POLL_SECONDS : undefined },
  );
  return (
    <section>
      <h2>{t.report}</h2>
      <Loaded query={report}>{(data) => <Result report={data} isRunning={isRunning} />}</Loaded>
    </section>
  );
}
