import { type Environment, environmentOf } from '../../parts/chips/environment.tsx';
import {
  dimensionOf,
  type FilterQuery,
  filterQuery,
  filtersOf,
  MAX_EVENTS,
} from '../../state/filter-rules.ts';
import { type Resolved, rangeOf, resolveRange } from '../../state/ranges.ts';

export type ViewSettings = {
  range: Resolved;
  environment: Environment;
  filters: FilterQuery;
  events: readonly string[];
  breakdown: string | undefined;
  funnel: string | undefined;
  interval: string | undefined;
  /** Of Trends: what is counted, as what it is drawn, and the one line that is. */
  chart: string | undefined;
  draw: 'line' | 'area' | 'bar';
  only: string | undefined;
};

export function settingsOf(query: string, today: string): ViewSettings {
  const parameters: Record<string, string> = Object.fromEntries(new URLSearchParams(query));
  const {
    environment = '',
    event = '',
    breakdown = '',
    funnel,
    interval,
    chart,
    draw,
    only,
  } = parameters;
  return {
    range: resolveRange(rangeOf(parameters), today),
    environment: environmentOf(environment),
    filters: filterQuery(filtersOf(parameters)),
    events: event.split(',').filter(Boolean).slice(0, MAX_EVENTS),
    breakdown: dimensionOf(breakdown),
    funnel,
    interval,
    chart,
    draw: draw === 'area' || draw === 'bar' ? draw : 'line',
    only,
  };
}
