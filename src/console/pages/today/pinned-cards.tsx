import { exactNumber, rate, roundRate, shortNumber } from '../../format.ts';
import { type ChartSeries, type Format, TimeChart } from '../../parts/chart/index.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { dayOf, lengthOf } from '../../state/days.ts';
import { dimensionOf } from '../../state/filter-rules.ts';
import { opensFirst } from '../../state/first-open.ts';
import type { PinnedView } from '../../state/pins.ts';
import { useQuery } from '../../state/query.ts';
import {
  funnelQuery,
  retentionQuery,
  type SeriesInterval,
  seriesQuery,
} from '../../state/range-query.ts';
import { REST, valueLabel } from '../../state/sent-values.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { Steps } from './funnel.tsx';
import { Groups } from './pinned-groups.tsx';
import { settingsOf, type ViewSettings } from './pinned-view.ts';

const t = todayTexts.pins;

const HEIGHT_PX = 196;
const COUNTS: Format = { show: exactNumber, tick: shortNumber, isWhole: true, goodWhen: 'up' };
const RATES: Format = { show: rate, tick: roundRate, goodWhen: 'up' };
const BY_DAY_UP_TO = 60;

export type PinProps = { appId: string; pin: PinnedView; today: string };

const skeleton = <div class="skeleton pinned-skeleton" aria-busy="true" />;

type Series = Awaited<ReturnType<typeof api.getEventSeries>>;
type Point = { people: number; events: number };

type Lines = Pick<Series, 'points' | 'series'> & { active?: Series['active'] };
type Chosen = Partial<Pick<ViewSettings, 'breakdown' | 'chart' | 'only'>>;

export function linesOf(data: Lines, { breakdown, chart, only }: Chosen): ChartSeries[] {
  const { series, points, active } = data;
  const counted = ({ people, events }: Point) => (chart === 'events' ? events : people);
  if (active) {
    const values = active.points.map(({ dau, mau }) => (mau === 0 ? null : dau / mau));
    return [{ key: 'ratio', name: t.ratio, values }];
  }
  if (series.length === 0) {
    const name = chart === 'events' ? t.events : todayTexts.charts.line.people;
    return [{ key: 'all', name, values: points.map(counted) }];
  }
  const dimension = dimensionOf(breakdown ?? '');
  const slots = versionSlots(series.filter(({ rest }) => !rest).map(({ key }) => key));
  const lines = series.map(
    (line): ChartSeries => ({
      key: line.rest ? REST : line.key,
      name: line.rest ? t.other : dimension ? valueLabel(dimension, line.key) : line.key,
      values: line.points.map(counted),
      ...(line.rest && { slot: 'other' as const }),
      ...(dimension === 'appVersion' && !line.rest && { slot: slots.get(line.key) ?? 'other' }),
    }),
  );
  const one = lines.filter(({ key }) => key === only);
  return one.length > 0 ? one : lines;
}

const seriesInterval = ({ interval }: ViewSettings): SeriesInterval =>
  interval === 'week' || interval === 'month' || interval === 'hour' ? interval : 'day';

export function PinnedTrend({ appId, pin, today }: PinProps) {
  const settings = settingsOf(pin.query, today);
  const { environment, filters, events, breakdown } = settings;
  const isRatio = settings.chart === 'ratio' && events.length === 0 && !breakdown;
  const unit = seriesInterval(settings);
  const asked = useQuery(`pinned trend ${appId} ${pin.query} ${today}`, (signal) => {
    const query = {
      ...seriesQuery(settings.range),
      ...filters,
      environment,
      interval: unit,
      compare: false,
      ...(isRatio && { active: true }),
      ...(events.length > 0 && { names: events.join(',') }),
      ...(breakdown && { breakdown }),
    };
    return api.getEventSeries({ id: appId, query }, { signal });
  });
  return (
    <Loaded query={asked} skeleton={skeleton}>
      {(data) => (
        <TimeChart
          title={pin.title}
          csvName="pinned"
          height={HEIGHT_PX}
          unit={unit}
          days={data.points.map(({ from }) =>
            unit === 'hour' ? from.slice(0, 16) : dayOf(Date.parse(from), data.timezone),
          )}
          kind={settings.draw}
          series={linesOf(data, settings)}
          format={isRatio ? RATES : COUNTS}
          isLastPartial={data.points.at(-1)?.partial ?? false}
        />
      )}
    </Loaded>
  );
}

export function PinnedFunnel({ appId, pin, today }: PinProps) {
  const { range, environment, filters, funnel, breakdown } = settingsOf(pin.query, today);
  const asked = useQuery(`pinned funnel ${appId} ${pin.query} ${today}`, async (signal) => {
    const funnels = await api.listFunnels({ id: appId }, { signal });
    const chosen = funnels.find(({ id, isDefault }) => (funnel ? id === funnel : isDefault));
    if (!chosen) return null;
    const query = {
      ...funnelQuery(range),
      ...filters,
      ...opensFirst(chosen.steps),
      environment,
      ...(breakdown && { breakdown }),
    };
    return api.getFunnelReport({ id: appId, funnelId: chosen.id, query }, { signal });
  });
  return (
    <Loaded query={asked} skeleton={skeleton}>
      {(report) => {
        if (!report) return <p class="quiet">{t.noFunnel}</p>;
        if (!report.breakdown || report.verdict !== 'ready') return <Steps report={report} />;
        return <Groups breakdown={report.breakdown} minimum={report.minimumPeople} />;
      }}
    </Loaded>
  );
}

type Returns = Pick<
  Awaited<ReturnType<typeof api.getEventRetention>>,
  'cohorts' | 'timezone' | 'mean' | 'people' | 'minimumPeople'
>;

export function ReturnCurve(props: {
  report: Returns;
  title: string;
  unit: 'day' | 'week' | 'month';
}) {
  const { report, title, unit } = props;
  const { cohorts, timezone, mean, people, minimumPeople } = report;
  const known = cohorts.map(({ periods }) => periods[0] ?? null);
  const share = mean[0]?.rate ?? null;
  if (share === null) return <p class="quiet">{t.few(people, minimumPeople)}</p>;
  return (
    <>
      <p class="quiet">{t.cameBack(rate(share), unit)}</p>
      <TimeChart
        title={title}
        csvName="pinned"
        height={HEIGHT_PX - 28}
        unit={unit}
        days={cohorts.map(({ from }) => dayOf(Date.parse(from), timezone))}
        series={[
          {
            key: 'returned',
            name: t.line,
            values: known.map((period) => period?.rate ?? null),
            low: known.map((period) => period?.rateLow ?? null),
            high: known.map((period) => period?.rateHigh ?? null),
          },
        ]}
        format={RATES}
      />
    </>
  );
}

export function PinnedRetention({ appId, pin, today }: PinProps) {
  const { range, environment, interval } = settingsOf(pin.query, today);
  const unit = interval === 'day' && lengthOf(range) <= BY_DAY_UP_TO ? 'day' : 'week';
  const asked = useQuery(`pinned retention ${appId} ${pin.query} ${today}`, (signal) => {
    const query = { ...retentionQuery(range), environment, interval: unit, periods: 1 } as const;
    return api.getEventRetention({ id: appId, query }, { signal });
  });
  return (
    <Loaded query={asked} skeleton={skeleton}>
      {(report) => <ReturnCurve report={report} title={pin.title} unit={unit} />}
    </Loaded>
  );
}
