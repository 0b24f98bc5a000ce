import { rate } from '../../format.ts';
import { Interval, scaleOf } from '../../parts/chart/index.ts';
import { SLOTS, slotOf } from '../../parts/chart/slots.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import type { FunnelReport } from '../../state/default-funnel.ts';
import { dimensionOf, VERSION } from '../../state/filter-rules.ts';
import { valueLabel } from '../../state/sent-values.ts';
import { byVersion } from '../../state/version-order.ts';
import { figures } from '../../texts/figures.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { IntervalRow } from './interval-row.tsx';

type Reported = NonNullable<FunnelReport['breakdown']>;
type Groups = {
  by: string;
  values: readonly Pick<Reported['values'][number], 'value' | 'people' | 'overall'>[];
};

export function Groups({ breakdown, minimum }: { breakdown: Groups; minimum: number }) {
  const dimension = dimensionOf(breakdown.by);
  const largest = breakdown.values.slice(0, SLOTS.length);
  const isVersion = dimension === VERSION;
  const shown = isVersion
    ? largest.toSorted((one, other) => byVersion(one.value, other.value))
    : largest;
  const slots = versionSlots(shown.map(({ value }) => value));
  const scale = scaleOf(shown.flatMap(({ overall }) => [overall.rateLow, overall.rateHigh]));
  return (
    <div>
      {shown.map(({ value, people, overall }, at) => (
        <IntervalRow
          key={at}
          name={dimension ? valueLabel(dimension, value) : value}
          below={
            overall.rate === null
              ? figures.fewPeople(people, minimum)
              : todayTexts.experiment.people(people)
          }
          figure={rate(overall.rate)}
        >
          <Interval
            scale={scale}
            value={overall.rate}
            low={overall.rateLow}
            high={overall.rateHigh}
            slot={isVersion ? (slots.get(value) ?? 'other') : slotOf(at)}
          />
        </IntervalRow>
      ))}
    </div>
  );
}
