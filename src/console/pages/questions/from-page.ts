import type { EventSelection } from '../../../../clients/api/src/index.ts';
import { FILTER_FIELDS } from '../../../shared/event-fields.ts';
import type { AddressChange } from '../../state/address-query.ts';
import {
  type Ask,
  askParameters,
  type Door,
  DOORS,
  type FunnelAsk,
  MAX_SERIES,
  type RetentionAsk,
  type TrendAsk,
} from '../../state/ask.ts';
import { conditionsOf, type Said } from '../../state/conditions.ts';
import {
  dimensionOf,
  filterQuery,
  filtersIn,
  filtersOf,
  saidOf,
  VERSION,
} from '../../state/filter-rules.ts';
import { beginsWithOpen } from '../../state/first-open.ts';
import type { Funnel } from '../../state/funnels.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

const inOrder = (one: string, other: string) => (one < other ? -1 : 1);

/** The same in whatever order fields and conditions were said. */
const textOf = (asked: unknown): string =>
  JSON.stringify(asked, (name, value: unknown) => {
    if (Array.isArray(value)) {
      const isUnordered = name === 'all' || name === 'any';
      return isUnordered ? value.map(textOf).toSorted(inOrder) : value;
    }
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => inOrder(a, b)))
      : value;
  });

const selectionOf = (name: string | undefined, said: readonly Said[]): EventSelection => {
  const where = conditionsOf({ word: 'all', parts: said });
  return { ...(name && { events: [name] }), ...(where && { where }) };
};

const saidBy = (parameters: Parameters): Said[] => filtersOf(parameters).map(saidOf);

function trendFrom(parameters: Parameters): TrendAsk {
  const { event = '', chart, breakdown = '' } = parameters;
  const names = event.split(',').filter(Boolean).slice(0, MAX_SERIES);
  const said = saidBy(parameters);
  const by = dimensionOf(breakdown);
  return {
    kind: 'trend',
    series: (names.length > 0 ? names : [undefined]).map((name) => selectionOf(name, said)),
    measure: { of: chart === 'events' ? 'events' : 'people' },
    ...(by && names.length < 2 && { breakdown: by }),
  };
}

const MAX_HOURS = 2_160;

const stepsOf = ({ steps }: Funnel): EventSelection[] =>
  steps.map(({ event, where: one }) =>
    selectionOf(
      event,
      one ? [{ field: `prop:${one.prop}`, operator: 'is', values: [one.equals] }] : [],
    ),
  );

/** Of a step that people repeat only new ones say something. */
const usualPeople = ({ steps }: Funnel) => (beginsWithOpen(steps) ? 'new' : 'all');

function funnelFrom(funnel: Funnel, parameters: Parameters): FunnelAsk {
  const { where } = selectionOf(undefined, saidBy(parameters));
  const hours = Number(parameters.windowHours);
  const by = dimensionOf(parameters.breakdown ?? VERSION);
  const { people = usualPeople(funnel) } = parameters;
  return {
    ...{ kind: 'funnel', steps: stepsOf(funnel) },
    ...(where && { where }),
    ...(by && { breakdown: by }),
    ...(Number.isInteger(hours) && hours >= 1 && hours <= MAX_HOURS && { windowHours: hours }),
    ...(people === 'new' && { people }),
  };
}

const funnelIn = (funnels: readonly Funnel[], { funnel }: Parameters): Funnel | undefined =>
  funnels.find(({ id }) => id === funnel) ?? funnels[0];

export function stepLabel(step: EventSelection, funnels: readonly Funnel[]): string | undefined {
  const text = textOf(step);
  for (const funnel of funnels) {
    const at = stepsOf(funnel).findIndex((one) => textOf(one) === text);
    if (at >= 0) return funnel.steps[at]?.label;
  }
}

const retentionFrom = ({ starts, returns, cohort, criterion, clock }: Parameters): Ask => ({
  kind: 'retention',
  starts: [selectionOf(starts, [])],
  return: selectionOf(returns, []),
  ...(cohort === 'recurring' && { cohort }),
  ...(criterion === 'on_or_after' && { criterion }),
  ...(clock === 'hours' && { clock }),
});

export function askFrom(
  door: Door,
  parameters: Parameters,
  funnels: readonly Funnel[] = [],
): Ask | undefined {
  switch (door) {
    case 'trends':
      return trendFrom(parameters);
    case 'retention':
      return retentionFrom(parameters);
    case 'funnels': {
      const funnel = funnelIn(funnels, parameters);
      return funnel && funnelFrom(funnel, parameters);
    }
  }
}

const namesIn = (selections: readonly EventSelection[]): string[] =>
  selections.flatMap(({ events = [] }) => events);

function trendParameters({ series, measure, breakdown }: TrendAsk): Parameters {
  return {
    event: namesIn(series).join(',') || undefined,
    chart: measure.of === 'events' ? 'events' : undefined,
    breakdown: typeof breakdown === 'string' ? breakdown : undefined,
    ...filterQuery(filtersIn(series[0]?.where) ?? []),
  };
}

const retentionParameters = (ask: RetentionAsk): Parameters => ({
  starts: namesIn(ask.starts)[0],
  returns: namesIn([ask.return])[0],
  cohort: ask.cohort,
  criterion: ask.criterion,
  clock: ask.clock,
});

function funnelParameters(ask: FunnelAsk, funnels: readonly Funnel[]): Parameters | undefined {
  const steps = textOf(ask.steps);
  const funnel = funnels.find((one) => textOf(stepsOf(one)) === steps);
  if (!funnel) return undefined;
  const { breakdown = 'none', people = 'all', windowHours } = ask;
  return {
    funnel: funnel === funnels[0] ? undefined : funnel.id,
    breakdown: breakdown === VERSION ? undefined : String(breakdown),
    people: people === usualPeople(funnel) ? undefined : people,
    windowHours: windowHours === undefined ? undefined : String(windowHours),
    ...filterQuery(filtersIn(ask.where) ?? []),
  };
}

function parametersIn(ask: Ask, funnels: readonly Funnel[]): Parameters | undefined {
  switch (ask.kind) {
    case 'trend':
      return trendParameters(ask);
    case 'retention':
      return retentionParameters(ask);
    case 'funnel':
      return funnelParameters(ask, funnels);
    default:
      return undefined;
  }
}

const USUAL = { cohort: 'first', criterion: 'on', clock: 'calendar', people: 'all' };
const isUsual = ([name, value]: [string, unknown]) =>
  Object.entries(USUAL).some(([one, usual]) => one === name && usual === value);

const saidIn = (ask: Ask | undefined) =>
  ask && textOf(Object.fromEntries(Object.entries(ask).filter((one) => !isUsual(one))));

function plainParameters(ask: Ask, funnels: readonly Funnel[] = []): Parameters | undefined {
  const plain = parametersIn(ask, funnels);
  const isAll = plain && saidIn(askFrom(DOORS[ask.kind], plain, funnels)) === saidIn(ask);
  return isAll ? plain : undefined;
}

export function plainSeries({ breakdown: _, ...ask }: TrendAsk) {
  const asked = { ...ask, measure: { of: 'people' as const } };
  const filters = plainParameters(asked) && filtersIn(asked.series[0]?.where);
  return filters && { names: namesIn(asked.series), filters };
}

const OF_PAGES = [
  ...['as', 'q', 'event', 'breakdown', 'chart', 'only', 'point', 'of', 'property'],
  ...[...FILTER_FIELDS, 'funnel', 'people', 'windowHours', 'step', 'list', 'entered'],
  ...['starts', 'returns', 'cohort', 'criterion', 'clock', 'cell', 'edit', 'behind'],
];

export const NOTHING_ASKED: AddressChange = Object.fromEntries(
  OF_PAGES.map((name) => [name, undefined]),
);

/** In plain words where they say all of it, and nothing of what was asked before. */
export const parametersOf = (ask: Ask, funnels?: readonly Funnel[]): AddressChange => ({
  ...NOTHING_ASKED,
  ...(plainParameters(ask, funnels) ?? askParameters(ask)),
});
