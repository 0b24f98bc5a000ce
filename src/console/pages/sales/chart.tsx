import { useLocation } from 'preact-iso';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { dayRange } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { type ChartSeries, Legend, type Slot, TimeChart } from '../../parts/chart/index.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { lateDays } from '../../state/app-sales.ts';
import { hrefOf } from '../../state/place.ts';
import { marksQuery } from '../../state/range-query.ts';
import type { RangeState } from '../../state/range.ts';
import { sales as t } from '../../texts/sales.ts';
import { drawnValue, formatOf, isMoney, type Measure } from './measures.ts';

const NAMED = 6;
const HEIGHT_PX = 300;
const OTHER = 'other';

type Part = ChartSeries & { slot: Slot };

export function appParts(analytics: Analytics, measure: Measure): Part[] {
  const { byApp, seriesByApp, series, currency } = analytics;
  const sorted = byApp.toSorted((one, other) => other[measure] - one[measure]);
  const named = sorted.length > NAMED ? sorted.slice(0, NAMED - 1) : sorted;
  const keys = new Set(named.map(({ storeAppId }) => storeAppId));
  const sums = new Map<string, number>();
  for (const entry of seriesByApp) {
    const key = `${keys.has(entry.storeAppId) ? entry.storeAppId : OTHER} ${entry.day}`;
    sums.set(key, (sums.get(key) ?? 0) + entry[measure]);
  }
  const valuesOf = (key: string) =>
    series.map(({ day, covered }) =>
      covered ? drawnValue(sums.get(`${key} ${day}`) ?? 0, measure, currency) : null,
    );
  const alone: Slot = isMoney(measure) ? 3 : 1;
  const parts = named.map(
    ({ storeAppId, label, key }, index): Part => ({
      key: storeAppId,
      name: label || key,
      slot: named.length === 1 ? alone : slotOf(index),
      values: valuesOf(storeAppId),
    }),
  );
  if (sorted.length === named.length) return parts;
  return [...parts, { key: OTHER, name: t.otherApps, slot: OTHER, values: valuesOf(OTHER) }];
}

/** Marks are of one app. */
function useMarksOfOne(analytics: Analytics, range: RangeState) {
  const [first, ...others] = analytics.byApp;
  const appId = others.length === 0 ? (first?.appId ?? null) : null;
  const { drawn } = useMarks(appId ?? '', marksQuery(range), appId !== null);
  const { from, to } = analytics.window;
  return {
    appId,
    marks: appId === null ? [] : drawn.filter(({ day }) => day >= from && day <= to),
  };
}

export function SalesChart(props: {
  analytics: Analytics;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
  range: RangeState;
  zone: string;
}) {
  const { analytics, measure, onMeasure, range, zone } = props;
  const { series, currency, window, byApp } = analytics;
  const { route } = useLocation();
  const { appId, marks } = useMarksOfOne(analytics, range);
  const parts = appParts(analytics, measure);
  const hasParts = parts.length > 1;
  const name = t.measures[measure];
  const openMark = (experimentId: string | undefined) =>
    appId &&
    route(
      experimentId
        ? `/apps/${appId}/experiments/${experimentId}`
        : (hrefOf('trends', appId, range.carried) ?? '/'),
    );
  return (
    <Card
      title={hasParts ? t.byDayAndApp(name) : t.byDay(name)}
      sub={dayRange(window.from, window.to)}
      class="sales-chart"
      actions={
        <>
          {hasParts && (
            <Legend items={parts.map((part) => ({ name: part.name, slot: part.slot }))} />
          )}
          {isMoney(measure) && (
            <Segmented
              label={t.money}
              compact
              options={[
                ['proceedsMinor', t.measures.proceedsMinor],
                ['customerSpendMinor', t.measures.customerSpendMinor],
              ]}
              value={measure === 'customerSpendMinor' ? 'customerSpendMinor' : 'proceedsMinor'}
              onChange={onMeasure}
            />
          )}
        </>
      }
    >
      <TimeChart
        key={byApp.length}
        title={isMoney(measure) ? `${name} (${currency})` : name}
        csvName={`sales-${measure}`}
        kind="bar"
        height={HEIGHT_PX}
        hasLegend
        days={series.map(({ day }) => day)}
        series={parts}
        late={lateDays(analytics)}
        format={formatOf(measure, currency)}
        zone={zone}
        marks={marks}
        onMark={({ experimentId }) => openMark(experimentId)}
        onRange={(from, to) => range.setRange({ kind: 'dates', from, to })}
      />
    </Card>
  );
}
