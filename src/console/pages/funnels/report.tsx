import { duration, rate, rateInterval } from '../../format.ts';
import { Info } from '../../parts/info.tsx';
import { useModule } from '../../parts/use-module.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { groupsOf, leakOf, referenceOf } from './groups.ts';
import { Leak } from './leak.tsx';
import type { Listed } from './listed.ts';
import type { Asked, FunnelReport, Source } from './queries.ts';
import { BelowSkeleton } from './report-skeleton.tsx';
import { fallOf, type Sentence, sentenceOf } from './sentence.ts';
import type { FunnelSettings } from './settings.ts';
import { Steps } from './steps.tsx';
import { hoursText } from './within.tsx';

function Answer({ report, sentence }: { report: FunnelReport; sentence: Sentence }) {
  const { overall, conversionWindowHours } = report;
  const { rateLow, rateHigh, medianSeconds } = overall;
  const interval = rateLow !== null && rateHigh !== null && rateInterval(rateLow, rateHigh);
  const half = medianSeconds !== null && t.halfWithin(duration(medianSeconds));
  return (
    <section class="card funnel-answer">
      <div class="funnel-figure">
        <h2 class="kpi-label">
          <span>{t.conversion}</span>
          <Info label={t.conversion}>{t.conversionMeaning(hoursText(conversionWindowHours))}</Info>
        </h2>
        <p>
          <strong>{rate(overall.rate)}</strong>{' '}
          <span class="quiet">
            <span class="narrow-only">{t.conversionBeside}</span>
            {interval}
            {half && <span class="wide-only">, {half}</span>}
          </span>
        </p>
      </div>
      <p class="say">
        <b>{sentence.lead}</b> {sentence.text}
      </p>
    </section>
  );
}

const loadRest = () => import('./by-use.ts');

export function shownGroups(report: FunnelReport, isDefault: boolean) {
  const groups = report.breakdown ? groupsOf(report.breakdown) : [];
  return isDefault && groups.length < 2 ? [] : groups;
}

const ANY: Listed = { step: 1, kind: 'reached', of: undefined, entered: undefined };

function listedIn(report: FunnelReport, asked: Listed | undefined): Listed | undefined {
  const isKnown = ({ of }: Listed) =>
    of === undefined ||
    report.breakdown?.values.some(({ value, verdict }) => value === of && verdict === 'ready');
  if (asked && asked.step <= report.steps.length && isKnown(asked)) return asked;
  const leak = leakOf(report.steps);
  return leak < 1 ? undefined : { ...ANY, step: leak + 1, kind: 'stopped' };
}

export function Report(props: {
  asked: Asked;
  settings: FunnelSettings;
  source: Source;
  onRange: (days: { from: string; to: string }) => void;
}) {
  const { asked, settings, source } = props;
  const { report, days } = asked;
  const { module: rest } = useModule(loadRest);
  const groups = shownGroups(report, settings.isBreakdownDefault);
  const reference = referenceOf(report, groups);
  const fall = fallOf(report, groups, reference);
  const listed = listedIn(report, settings.listed);
  const { list, hrefOf } = settings;
  const steps = {
    ...{ report, groups, reference },
    canListGroups: groups.some(({ value }) => source.people({ ...ANY, of: value }, days)),
    ...{ hrefOf, onList: list },
  };
  return (
    <>
      <Answer report={report} sentence={sentenceOf(report, groups, reference)} />
      <Steps {...steps} />
      <Leak {...steps} />
      {report.comparison && rest && (
        <rest.ComparedSteps report={report} comparison={report.comparison} />
      )}
      {rest ? (
        <rest.Below
          {...{ report, groups, days, source, fall, listed }}
          isAsked={settings.listed !== undefined}
          onList={list}
          onRange={props.onRange}
        />
      ) : (
        <BelowSkeleton />
      )}
      {report.distribution && rest && <rest.Times parts={report.distribution} />}
    </>
  );
}
