import type {
  EventSelection,
  FunnelQuestion,
  MeasuresQuestion,
  Question,
  RetentionQuestion,
  SeriesQuestion,
} from '../../../clients/api/src/index.ts';

import {
  conditions,
  isObject,
  list,
  number,
  optional,
  readJson,
  selection,
  shape,
  text,
} from './checks.ts';
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

const isSelections = list(selection);
const isMeasure = (value: unknown): boolean => isObject(value) && text(value.of);
const areExclusions = optional(list(shape({ selection, after: number, before: number })));

function isAsk(value: unknown): value is Ask {
  if (!isObject(value)) return false;
  const { kind } = value;
  if (kind === 'trend') return isSelections(value.series) && isMeasure(value.measure);
  if (kind === 'funnel') {
    const { steps, exclusions, where } = value;
    return isSelections(steps) && areExclusions(exclusions) && optional(conditions)(where);
  }
  if (kind === 'retention') return isSelections(value.starts) && selection(value.return);
  return (kind === 'lifecycle' || kind === 'paths') && selection(value.selection);
}

export const readAsk = (json: string | undefined): Ask | undefined => readJson(json, isAsk);

export const askParameters = (ask: Ask): { q: string } => ({ q: JSON.stringify(ask) });
