import type { Measured } from '../../../query/experiment/model.ts';
import { at } from '../../../shared/assert.ts';
import { DAY_MS, microsToIso } from '../../../shared/time.ts';
import type { Measurement } from '../measurement.model.ts';
import type { Experiment } from '../model.ts';
import { type Answer, type MeasuredReport, MINIMUM_DAYS } from './answer.model.ts';
import { decideAnswer } from './answer.ts';
import { measuredMetrics } from './metrics.ts';
import type { Payments } from './payments.ts';

export type Measurable = {
  experiment: Experiment;
  window: { from: string; to: string };
  measured: Measured;
  overriddenPeople: number;
  exposed: number;
  isSplitBroken: boolean;
  /** Null without a metric of money. */
  payments: Payments | null;
};

function toRevenue(
  payments: Payments | null,
  { cap, arms }: Measured,
  capPercentile: Measurement['capPercentile'],
): MeasuredReport['revenue'] {
  if (!payments) return null;
  const { currency, purchases, joined, unconverted } = payments;
  const capMinor = cap === null ? null : Math.round(cap);
  const cappedPeople = arms.reduce((sum, { revenue }) => sum + revenue.capped, 0);
  return { currency, capPercentile, capMinor, cappedPeople, purchases, joined, unconverted };
}

export function measure(input: Measurable): { measured: MeasuredReport; answer: Answer } {
  const { experiment, window, measured, payments } = input;
  const { measurement } = experiment;
  const days = (new Date(window.to).getTime() - new Date(window.from).getTime()) / DAY_MS;
  const metrics = measuredMetrics(
    experiment.arms.map(({ id }) => id),
    measurement,
    measured,
  );
  const people = new Map(measured.arms.map((arm) => [arm.armId, arm.people]));
  const arms = experiment.arms.map(({ id, name }) => ({ id, name, people: people.get(id) ?? 0 }));
  const fullDays = Math.max(0, Math.floor(days));
  const answer = decideAnswer({
    arms,
    metrics,
    fullDays,
    isSplitBroken: input.isSplitBroken,
    isRunning: experiment.status === 'running',
    peopleADay: input.exposed / Math.max(1, days),
  });
  return {
    answer,
    measured: {
      windowHours: measurement.windowHours,
      margin: measurement.margin,
      minimumDays: MINIMUM_DAYS,
      fullDays,
      people: arms.reduce((sum, arm) => sum + arm.people, 0),
      overriddenPeople: input.overriddenPeople,
      exposedBefore: microsToIso(measured.exposedBeforeUs),
      controlArmId: at(experiment.arms, 0).id,
      metrics,
      revenue: toRevenue(payments, measured, measurement.capPercentile),
    },
  };
}
