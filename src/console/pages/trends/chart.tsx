import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { type ChartMark, TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { dimensionLabel } from '../../state/sent-values.ts';
import { useLinks } from '../../state/place.ts';
import { trends as t } from '../../texts/trends.ts';
import type { Drawing } from './drawing.ts';
import { daysOfPlaces } from './places.ts';
import type { TrendSettings } from './settings.ts';

export const CHART_PX = 360;

export function titleOf(settings: TrendSettings, interval: TrendSettings['interval']): string {
  const { subject, names, breakdown } = settings;
  if (subject === 'ratio') return t.subjects.ratio;
  const what = t.subjects[subject][interval];
  const named = names.length > 0 ? `${what}: ${names.join(', ')}` : what;
  return breakdown ? t.by(named, dimensionLabel(breakdown)) : named;
}

export function viewName(settings: TrendSettings, interval: TrendSettings['interval']): string {
  const { subject, names, breakdown } = settings;
  if (subject !== 'people' || names.length === 0) return titleOf(settings, interval);
  const named = names.join(', ');
  return breakdown ? t.by(named, dimensionLabel(breakdown)) : named;
}

function useMarkAct(appId: string, settings: TrendSettings, onNote: () => void) {
  const { route } = useLocation();
  const linkTo = useLinks();
  return ({ experimentId, appVersion, kind }: ChartMark) => {
    if (experimentId) route(`/apps/${appId}/experiments/${experimentId}`);
    else if (appVersion) settings.change({ appVersion, point: undefined });
    else if (kind === 'price') route(linkTo('subscribers', appId) ?? '/');
    else onNote();
  };
}

export function NothingToDraw({ settings }: { settings: TrendSettings }) {
  const linkTo = useLinks();
  const isNarrowed = settings.names.length > 0 || settings.filters.filters.length > 0;
  if (isNarrowed) {
    return <Empty icon={icons.trends} title={t.noneOfThese} text={t.noneOfTheseWhy} />;
  }
  return (
    <Empty
      icon={icons.trends}
      title={t.none}
      text={t.noneWhy}
      action={<Button href={linkTo('connect') ?? '/'}>{t.connect}</Button>}
    />
  );
}

export function TrendChart(props: {
  appId: string;
  settings: TrendSettings;
  drawing: Drawing;
  marks: readonly ChartMark[];
  onNote: () => void;
}) {
  const { appId, settings, drawing, marks, onNote } = props;
  const { unit, days, series, format, isLastPartial, previous, rowsOf, peopleOf } = drawing;
  const { subject, names, kind, only, range, change } = settings;
  const openMark = useMarkAct(appId, settings, onNote);
  const isEachAlone = names.length > 1;
  const chosen = series.length === 1 && only !== undefined ? series[0]?.key : undefined;
  const action = (index: number): string | null => {
    if (isEachAlone && chosen === undefined) return t.clickLine;
    const people = peopleOf(index, chosen);
    return people === null || people === 0 ? null : t.click(people);
  };
  return (
    <TimeChart
      title={titleOf(settings, unit)}
      csvName="trend"
      height={CHART_PX}
      unit={unit}
      days={days}
      series={series}
      format={format}
      kind={subject === 'ratio' ? 'line' : kind}
      isLastPartial={isLastPartial}
      marks={marks}
      zone={range.timezone}
      onMark={openMark}
      onRange={(from, to) =>
        range.setRange({ kind: 'dates', ...daysOfPlaces(from, to, unit, range.today) })
      }
      actionOf={action}
      onDay={(point, key) =>
        change({ point, of: chosen ?? (isEachAlone ? (key ?? names[0]) : undefined) })
      }
      {...(previous && { previous })}
      {...(rowsOf && { rowsOf })}
    />
  );
}
