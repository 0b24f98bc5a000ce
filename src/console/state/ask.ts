import type {
  Conditions,
  EventSelection,
  FunnelQuestion,
  MeasuresQuestion,
  Question,
  RetentionQuestion,
  SeriesQuestion,
} from '../../../clients/api/src/index.ts';

import { FIRST_FIELDS, type FirstField } from './conditions.ts';
import { type Dimension, dimensionOf } from './filter-rules.ts';

export type Measure = MeasuresQuestion['measure'];
export type Exclusion = NonNullable<FunnelQuestion['exclusions']>[number];

type Breakdown = NonNullable<SeriesQuestion['breakdown']>;
export type By = Exclude<Breakdown, readonly unknown[]>;

export const bysOf = (breakdown: Breakdown | undefined): readonly By[] => {
  if (breakdown === undefined) return [];
  return Array.isArray(breakdown) ? breakdown : [breakdown];
};

export const breakdownOf = ([first, second]: readonly By[]): Breakdown | undefined =>
  first !== undefined && second !== undefined ? [first, second] : first;

export const fieldOf = (by: By): string => (typeof by === 'string' ? by : `prop:${by.property}`);

export const OF_PEOPLE = ['arm', ...FIRST_FIELDS] as const;

export function chosenBy(by: By | undefined): FirstField | Dimension | undefined {
  if (by === undefined) return undefined;
  const field = fieldOf(by);
  return FIRST_FIELDS.find((one) => one === field) ?? dimensionOf(field);
}

export function brokenDownBy<A extends object, B>(
  ask: A & { breakdown?: B },
  breakdown: B | undefined,
): Omit<A, 'breakdown'> & { breakdown?: B } {
  const { breakdown: _, ...others } = ask;
  return { ...others, ...(breakdown !== undefined && { breakdown }) };
}

export type TrendAsk = {
  kind: 'trend';
  series: EventSelection[];
  measure: Measure;
  breakdown?: Breakdown;
};
export type FunnelAsk = Pick<
  FunnelQuestion,
  'kind' | 'steps' | 'where' | 'breakdown' | 'exclusions' | 'order' | 'people' | 'windowHours'
>;
export type RetentionAsk = {
  kind: 'retention';
  /** Two groups of people at most, to be held against each other. */
  starts: EventSelection[];
  return: EventSelection;
} & Pick<RetentionQuestion, 'breakdown' | 'cohort' | 'criterion' | 'clock'>;
export type LifecycleAsk = { kind: 'lifecycle'; selection: EventSelection; breakdown?: By };
export type PathsAsk = {
  kind: 'paths';
  selection: EventSelection;
  direction: 'after' | 'before';
};

export type Ask = TrendAsk | FunnelAsk | RetentionAsk | LifecycleAsk | PathsAsk;
export type AskKind = Ask['kind'];
export const ASK_KINDS = ['trend', 'funnel', 'retention', 'lifecycle', 'paths'] as const;

export const DOORS = {
  trend: 'trends',
  funnel: 'funnels',
  retention: 'retention',
  lifecycle: 'retention',
  paths: 'retention',
} as const satisfies Record<AskKind, string>;
export type Door = (typeof DOORS)[AskKind];

export const MAX_SERIES = 6;
export const MAX_STEPS = 12;

export function begin(kind: AskKind, from?: EventSelection): Ask {
  const selection = from ?? {};
  switch (kind) {
    case 'trend':
      return { kind, series: [selection], measure: { of: 'people' } };
    case 'funnel':
      return { kind, steps: [selection, {}] };
    case 'retention':
      return { kind, starts: [selection], return: {} };
    case 'lifecycle':
      return { kind, selection };
    case 'paths':
      return { kind, selection, direction: 'after' };
  }
}

export function firstOf(ask: Ask): EventSelection {
  switch (ask.kind) {
    case 'trend':
      return ask.series[0] ?? {};
    case 'funnel':
      return ask.steps[0] ?? {};
    case 'retention':
      return ask.starts[0] ?? {};
    default:
      return ask.selection;
  }
}

const isCounted = ({ of }: Measure): boolean => of === 'people' || of === 'events';

export const isOfSeries = ({ measure }: TrendAsk): boolean => isCounted(measure);

export type Frame = {
  window: { days?: number; from?: string; to?: string };
  environment: 'production' | 'development' | 'all';
  interval: 'hour' | 'day' | 'week' | 'month';
  periods: number;
};

export function questionsOf(
  ask: Ask,
  { window, environment, interval, periods }: Frame,
): Question[] {
  const common = { ...window, environment };
  switch (ask.kind) {
    case 'trend': {
      const { series, measure, breakdown } = ask;
      if (!isOfSeries(ask)) {
        return series.map((selection) => ({
          kind: 'measures',
          ...{ selection, measure, interval, ...common },
        }));
      }
      const by = breakdown && series.length === 1 && { breakdown };
      return [{ kind: 'series', series, ...by, interval, ...common }];
    }
    case 'funnel':
      return [{ ...ask, distribution: true, ...common }];
    case 'retention': {
      const { starts, return: back, breakdown, ...rules } = ask;
      const each = interval === 'hour' ? 'day' : interval;
      // Months have no hours of their own.
      if (each === 'month') delete rules.clock;
      const by = breakdown && starts.length === 1 && { breakdown };
      return starts.map((start) => ({
        ...{ ...rules, start, return: back, ...by },
        ...{ interval: each, periods, ...common },
      }));
    }
    case 'lifecycle':
      return [{ ...ask, interval, ...common }];
    case 'paths':
      return [{ ...ask, ...common }];
  }
}

export function askOf(question: Question): Ask {
  switch (question.kind) {
    case 'series': {
      const { series, breakdown } = question;
      return { kind: 'trend', series, measure: { of: 'people' }, ...(breakdown && { breakdown }) };
    }
    case 'measures': {
      const { selection = {}, measure, breakdown } = question;
      return { kind: 'trend', series: [selection], measure, ...(breakdown && { breakdown }) };
    }
    case 'funnel': {
      const { kind, steps, where, breakdown, exclusions, order, people, windowHours } = question;
      return {
        ...{ kind, steps },
        ...(where && { where }),
        ...(breakdown && { breakdown }),
        ...(exclusions && { exclusions }),
        ...(order && { order }),
        ...(people && { people }),
        ...(windowHours && { windowHours }),
      };
    }
    case 'retention': {
      const { kind, start = {}, breakdown, cohort, criterion, clock } = question;
      return {
        ...{ kind, starts: [start], return: question.return ?? {} },
        ...(breakdown && { breakdown }),
        ...(cohort && { cohort }),
        ...(criterion && { criterion }),
        ...(clock && { clock }),
      };
    }
    case 'lifecycle':
      return {
        ...{ kind: 'lifecycle', selection: question.selection ?? {} },
        ...(question.breakdown && { breakdown: question.breakdown }),
      };
    case 'paths': {
      const { kind, selection, direction = 'after' } = question;
      return { kind, selection, direction };
    }
  }
}

type Unknown = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Unknown => typeof value === 'object' && value !== null;
const isList = (value: unknown): value is readonly Unknown[] =>
  Array.isArray(value) && value.every(isObject);

const areConditions = (value: unknown): value is Conditions =>
  isObject(value) && [value.all, value.any].filter(isParts).length === 1;
const isParts = (value: unknown): boolean =>
  isList(value) &&
  value.every(
    (one) =>
      (typeof one.field === 'string' && typeof one.op === 'string') ||
      (typeof one.segment === 'string' && typeof one.is === 'boolean') ||
      [one.all, one.any].filter(isList).length === 1,
  );

const isSelection = (value: unknown): value is EventSelection =>
  isObject(value) &&
  (value.events === undefined || Array.isArray(value.events)) &&
  (value.where === undefined || areConditions(value.where));
const areSelections = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSelection);

const isMeasure = (value: unknown): boolean => isObject(value) && typeof value.of === 'string';

/** Guarantee: what is drawn of it is there. */
function isAsk(value: unknown): value is Ask {
  if (!isObject(value)) return false;
  const { kind, series, measure, steps, where, starts, exclusions, selection } = value;
  if (kind === 'trend') return areSelections(series) && isMeasure(measure);
  if (kind === 'funnel') {
    const isSound = exclusions === undefined || isList(exclusions);
    return areSelections(steps) && isSound && (where === undefined || areConditions(where));
  }
  if (kind === 'retention') return areSelections(starts) && isSelection(value.return);
  return (kind === 'lifecycle' || kind === 'paths') && isSelection(selection);
}

export function readAsk(text: string | undefined): Ask | undefined {
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    return isAsk(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

export const askParameters = (ask: Ask): { q: string } => ({ q: JSON.stringify(ask) });
