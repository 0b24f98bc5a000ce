import { Behind } from '../../parts/behind.tsx';
import { api } from '../../state/api.ts';
import {
  type Dimension,
  filterQuery,
  type Filter,
  isProperty,
  withFilter,
} from '../../state/filter-rules.ts';
import type { SeriesInterval } from '../../state/range-query.ts';
import { valueLabel } from '../../state/sent-values.ts';
import { trends as t } from '../../texts/trends.ts';
import type { Drawing } from './drawing.ts';
import { placeName } from './places.ts';
import type { TrendSettings } from './settings.ts';

const UNKNOWN = 'unknown';

export function selectionOf(
  { filters, names, breakdown }: Pick<TrendSettings, 'filters' | 'names' | 'breakdown'>,
  key: string | undefined,
) {
  const [only] = names;
  const name = names.length > 1 ? key : only;
  if (names.length > 1 && name === undefined) return null;
  const ofLine = breakdown && key !== undefined ? { dimension: breakdown, value: key } : undefined;
  if (ofLine && !isAskable(filters.filters, ofLine)) return null;
  const all = ofLine ? withFilter(filters.filters, { ...ofLine, operator: 'is' }) : filters.filters;
  return { ...filterQuery(all), ...(name !== undefined && { name }) };
}

/** Only one property is asked by. */
function isAskable(
  filters: readonly Filter[],
  { dimension, value }: { dimension: Dimension; value: string },
): boolean {
  if (!isProperty(dimension)) return true;
  return (
    value !== UNKNOWN &&
    filters.every((one) => !isProperty(one.dimension) || one.dimension === dimension)
  );
}

export function PeopleBehind(props: {
  appId: string;
  settings: TrendSettings;
  drawing: Drawing;
  interval: SeriesInterval;
}) {
  const { appId, settings, drawing, interval } = props;
  const { point, of, breakdown, names, range, environment, change } = settings;
  const index = point === undefined ? -1 : drawing.days.indexOf(point);
  const start = drawing.starts[index];
  const selection = selectionOf(settings, of ?? (names.length > 1 ? names[0] : undefined));
  if (point === undefined || start === undefined || !selection) return null;
  const query = { ...range.query, ...selection, interval, environment, point: start };
  const count = drawing.peopleOf(index, of);
  const line = of !== undefined && breakdown ? valueLabel(breakdown, of) : selection.name;
  return (
    <Behind
      appId={appId}
      title={t.behind(placeName(point, interval), line)}
      question={`${appId} ${JSON.stringify(query)}`}
      {...(count !== null && { count })}
      ask={(page, options) =>
        api.listEventSeriesPeople({ id: appId, query: { ...query, ...page } }, options)
      }
      onClose={() => change({ point: undefined, of: undefined })}
    />
  );
}
