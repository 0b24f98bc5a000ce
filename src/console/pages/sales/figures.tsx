import type { Analytics } from '../../../../clients/api/src/index.ts';
import { money, shortNumber } from '../../format.ts';
import { Change } from '../../parts/change.tsx';
import { Spark } from '../../parts/chart/index.ts';
import { Unconverted } from '../../parts/figure-kpis/index.ts';
import { Kpi, Kpis } from '../../parts/kpis.tsx';
import { figures } from '../../texts/figures.ts';
import { sales as t } from '../../texts/sales.ts';
import { goodWhen, isMoney, knownDays, type Measure, SHOWN } from './measures.ts';

function changeOf({ totals, previous, isComparable }: Analytics, measure: Measure) {
  const before = previous[measure];
  return isComparable && before !== 0 ? (totals[measure] - before) / before : null;
}

function lacksOf({ unconverted, window, series }: Analytics, measure: Measure) {
  if (!isMoney(measure)) return undefined;
  if (unconverted.length > 0) return <Unconverted sales={{ unconverted }} />;
  const known = knownDays({ series });
  if (known === window.days) return undefined;
  return <span class="chip warn">{figures.knownDays(known, window.days)}</span>;
}

export function Figures(props: {
  analytics: Analytics;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
}) {
  const { analytics, measure, onMeasure } = props;
  const { totals, currency, series, isComparable } = analytics;
  return (
    <Kpis label={t.figures}>
      {SHOWN.map((one) => {
        const lacks = lacksOf(analytics, one);
        const change = changeOf(analytics, one);
        return (
          <Kpi
            key={one}
            label={t.measures[one]}
            meaning={t.meanings[one]}
            isSubject={measure === one || (isMoney(measure) && isMoney(one))}
            onClick={() => onMeasure(one)}
            figure={isMoney(one) ? money(totals[one], currency) : shortNumber(totals[one])}
            change={
              change === null ? (
                !isComparable && t.nothingBefore
              ) : (
                <Change
                  value={change}
                  goodWhen={goodWhen(one)}
                  {...(!lacks && { against: t.before })}
                />
              )
            }
            chip={lacks}
            spark={
              <Spark
                kind="bars"
                slot={isMoney(one) ? 3 : 1}
                values={series.map((day) => (day.covered ? day[one] : null))}
              />
            }
          />
        );
      })}
    </Kpis>
  );
}
