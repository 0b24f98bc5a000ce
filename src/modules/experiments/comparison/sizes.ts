import { type Static, Type } from '@sinclair/typebox';
import { Nullable, QueryInteger } from '../../../shared/schema.ts';
import { counted } from '../../../shared/text.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { MINIMUM_DAYS } from './answer.model.ts';
import { intervalAlpha, halfWidth, smallest } from './sequence.ts';

export const DEFAULT_LOOKED_AT_DAYS = 28;
export const MAX_LOOKED_AT_DAYS = 365;

export const SizesQuery = Type.Object({
  days: Type.Optional(
    QueryInteger(1, MAX_LOOKED_AT_DAYS, {
      description: `Days that rate and traffic are taken from; by default ${DEFAULT_LOOKED_AT_DAYS}, or a year where fewer than fifty people came.`,
    }),
  ),
});

const LIFTS = [0.1, 0.2, 0.5];
/** Probability of finding a true difference. */
const POWER = 0.8;
const POWER_DEVIATIONS = 0.841_621_2;

const Count = Type.Integer({ minimum: 0 });

const Size = Type.Object(
  {
    lift: Type.Number({ description: 'More than today’s rate: 0.2 is a fifth more.' }),
    people: Nullable(Type.Integer({ minimum: 0, description: 'Of all arms together.' })),
    days: Nullable(Count),
    text: Type.String(),
  },
  { title: 'ExperimentSize' },
);

export const ExperimentSizes = Type.Object(
  {
    experimentId: Type.String(),
    funnelId: Nullable(Type.String()),
    lookedAtDays: Type.Integer({ description: 'The days that rate and traffic are taken from.' }),
    people: Type.Integer({ minimum: 0, description: 'Entered the funnel in those days.' }),
    converted: Count,
    rate: Nullable(Type.Number({ description: 'Null under fifty people.' })),
    peopleADay: Type.Number({
      description: 'Since the first event within the last 28 days, or the chosen days.',
    }),
    daysUntilRate: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'At today’s pace, until fifty people have entered; null where there is a rate.',
      }),
    ),
    power: Type.Literal(POWER),
    sizes: Type.Array(Size),
  },
  {
    title: 'ExperimentSizes',
    description:
      'How many people and days it takes to see +10, +20 and +50 % at today’s rate and traffic.',
  },
);
export type ExperimentSizes = Static<typeof ExperimentSizes>;

export type Today = {
  lookedAtDays: number;
  people: number;
  converted: number;
  recent?: { people: number; days: number };
};

type Plan = { weights: readonly number[]; decidingMetrics: number; windowHours: number };

function peopleFor(rate: number, lift: number, { weights, decidingMetrics }: Plan): number | null {
  const lifted = Math.min(1, rate * (1 + lift));
  const alpha = intervalAlpha({ arms: weights.length, metrics: decidingMetrics });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const [control = 0, ...others] = weights.map((weight) => weight / whole);
  const arm = Math.min(...others);
  return smallest((people) => {
    const variance =
      (rate * (1 - rate)) / (people * control) + (lifted * (1 - lifted)) / (people * arm);
    const half = halfWidth(variance, people * (control + arm), alpha);
    return half + POWER_DEVIATIONS * Math.sqrt(variance) <= lifted - rate;
  });
}

function duration(days: number): string {
  if (days < 14) return counted(days, 'day', 'days');
  if (days < 60) return `${Math.round(days / 7)} weeks`;
  const months = Math.round(days / 30.4);
  return months < 24 ? `${months} months` : `${Math.round(days / 365)} years`;
}

export function planSizes(
  { lookedAtDays, people, converted, recent }: Today,
  plan: Plan,
): Omit<ExperimentSizes, 'experimentId' | 'funnelId'> {
  const rate = people >= MINIMUM_PEOPLE ? converted / people : null;
  const peopleADay =
    recent && recent.people > 0 ? recent.people / recent.days : people / lookedAtDays;
  const sizes = LIFTS.map((lift) => {
    const name = `+${Math.round(lift * 100)} %`;
    const needed = rate === null || rate === 0 || rate === 1 ? null : peopleFor(rate, lift, plan);
    if (needed === null) {
      const text = `${name}: today’s rate is not known well enough.`;
      return { lift, people: null, days: null, text };
    }
    if (peopleADay === 0)
      return { lift, people: needed, days: null, text: `${name}: nobody comes.` };
    const days =
      Math.max(MINIMUM_DAYS, Math.ceil(needed / peopleADay)) + Math.ceil(plan.windowHours / 24);
    return {
      lift,
      people: needed,
      days,
      text: `${name}: ${needed.toLocaleString('en')} people, ${duration(days)}.`,
    };
  });
  const missing = MINIMUM_PEOPLE - people;
  const daysUntilRate = rate === null && people > 0 ? Math.ceil(missing / peopleADay) : null;
  return { lookedAtDays, people, converted, rate, peopleADay, daysUntilRate, power: POWER, sizes };
}
