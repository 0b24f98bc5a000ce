import { duration, rate, rateInterval } from '../../format.ts';
import { Info } from '../../parts/info.tsx';
import { funnels as t } from '../../texts/funnels.ts';
import type { FunnelReport } from './queries.ts';
import type { Sentence } from './sentence.ts';
import { hoursText } from './within.tsx';

export function Answer({ report, sentence }: { report: FunnelReport; sentence: Sentence }) {
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
