import type { FunctionComponent } from 'preact';
import { useModule } from '../use-module.ts';
import type { ColumnsProps, TimeChartProps, WaterfallProps, YearCalendarProps } from './types.ts';

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

export const TimeChart = byUse<TimeChartProps>(
  (from) => from.TimeChart,
  ({ height = 348 }) => height,
);
export const Waterfall = byUse<WaterfallProps>(
  (from) => from.Waterfall,
  () => 258,
);
export const Columns = byUse<ColumnsProps>(
  (from) => from.Columns,
  () => 340,
);
export const YearCalendar = byUse<YearCalendarProps>(
  (from) => from.YearCalendar,
  () => 158,
);
