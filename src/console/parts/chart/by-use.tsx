import type { FunctionComponent } from 'preact';
import { useModule } from '../use-module.ts';
import type { LevelBarsProps } from './level-bars.tsx';
import type {
  ColumnsProps,
  MinuteBarsProps,
  ShareAreaProps,
  StackedDaysProps,
  TimeChartProps,
  WaterfallProps,
  YearCalendarProps,
} from './types.ts';

type Pictures = typeof import('./pictures.ts');

let pictures: Pictures | undefined;

async function loadPictures(): Promise<Pictures> {
  pictures = await import('./pictures.ts');
  return pictures;
}

function byUse<Props extends object>(
  pick: (from: Pictures) => FunctionComponent<Props>,
  heightOf: (props: Props) => number,
): FunctionComponent<Props> {
  return (props) => {
    const { module = pictures } = useModule(loadPictures, pictures === undefined);
    if (!module) {
      const height = `${heightOf(props)}px`;
      return <div class="skeleton plot-skeleton" aria-busy="true" style={{ height }} />;
    }
    const Chart = pick(module);
    return <Chart {...props} />;
  };
}

const ofHeight =
  (otherwise: number) =>
  ({ height = otherwise }: { height?: number }) =>
    height;

export const TimeChart = byUse<TimeChartProps>((from) => from.TimeChart, ofHeight(348));
export const StackedDays = byUse<StackedDaysProps>((from) => from.StackedDays, ofHeight(196));
export const ShareArea = byUse<ShareAreaProps>((from) => from.ShareArea, ofHeight(172));
export const Waterfall = byUse<WaterfallProps>((from) => from.Waterfall, ofHeight(258));
export const MinuteBars = byUse<MinuteBarsProps>((from) => from.MinuteBars, ofHeight(72));
export const Columns = byUse<ColumnsProps>(
  (from) => from.Columns,
  () => 340,
);
export const LevelBars = byUse<LevelBarsProps>(
  (from) => from.LevelBars,
  () => 64,
);
export const YearCalendar = byUse<YearCalendarProps>(
  (from) => from.YearCalendar,
  () => 158,
);
