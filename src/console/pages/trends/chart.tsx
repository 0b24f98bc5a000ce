import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { type ChartMark, TimeChart, type Unit } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { measureWords, selectionWords } from '../../state/ask-words.ts';
import { bysOf, fieldOf } from '../../state/ask.ts';
import { fieldLabel } from '../../state/condition-words.ts';
import { narrowed } from '../../state/conditions.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { useLinks } from '../../state/place.ts';
import { questions } from '../../texts/questions.ts';
import { trends as t } from '../../texts/trends.ts';
import type { Drawing } from './drawing.ts';
import { daysOfPlaces } from './places.ts';
import type { TrendSettings } from './settings.ts';

export const CHART_PX = 360;

export function titleOf({ ask, isRatio }: TrendSettings, interval: Unit): string {
  if (isRatio) return t.subjects.ratio;
  const { measure, series } = ask;
  const what =
    measure.of === 'people' || measure.of === 'events'
      ? t.subjects[measure.of][interval]
      : measureWords(measure);
  const names = series.map(selectionWords).join(', ');
  const isAll = series.every((one) => Object.keys(one).length === 0);
  const by = bysOf(ask.breakdown).map(fieldOf).map(fieldLabel).join(', ');
  const named = isAll ? what : `${what}: ${names}`;
  return by ? t.by(named, by) : named;
}

function useMarkAct(appId: string, settings: TrendSettings, onNote: () => void) {
  const { route } = useLocation();
  const linkTo = useLinks();
  const { ask, setAsk } = settings;
  return ({ experimentId, version, kind }: ChartMark) => {
    if (experimentId) route(`/apps/${appId}/experiments/${experimentId}`);
    else if (version) {
      const said = { field: VERSION, operator: 'is' as const, values: [version] };
      setAsk({ ...ask, series: ask.series.map((one) => narrowed(one, said)) });
    } else if (kind === 'price') route(linkTo('subscribers', appId) ?? '/');
    else onNote();
  };
}

export function NothingToDraw({ settings }: { settings: TrendSettings }) {
  const linkTo = useLinks();
  const isNarrowed = settings.ask.series.some((one) => Object.keys(one).length > 0);
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
  const { isRatio, ask, draw, only, range, change } = settings;
  const openMark = useMarkAct(appId, settings, onNote);
  const isEachAlone = ask.series.length > 1;
  const chosen = series.length === 1 && only !== undefined ? series[0]?.key : undefined;
  const action = (index: number): string | null => {
    if (isEachAlone && chosen === undefined) return t.clickLine;
    const people = peopleOf(index, chosen);
    if (people === null) return isRatio ? null : questions.click;
    return people === 0 ? null : t.click(people);
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
      kind={isRatio ? 'line' : draw}
      isLastPartial={isLastPartial}
      marks={marks}
      zone={range.timezone}
      onMark={openMark}
      onRange={(from, to) =>
        range.setRange({ kind: 'dates', ...daysOfPlaces(from, to, unit, range.today) })
      }
      actionOf={action}
      onDay={(point, key) =>
        change({ point, of: chosen ?? (isEachAlone ? (key ?? series[0]?.key) : undefined) })
      }
      {...(previous && { previous })}
      {...(rowsOf && { rowsOf })}
    />
  );
}
