import type { AppContext } from '../../../context.ts';
import { type Measured, MAX_PAYMENTS, type Payment } from '../../../query/experiment/model.ts';
import { at } from '../../../shared/assert.ts';
import { AppError } from '../../../shared/errors.ts';
import { DAY_MS, microsToIso, toIso } from '../../../shared/time.ts';
import { selectPayments } from '../../purchases/index.ts';
import { currencyOfOrganization } from '../../sales/index.ts';
import type { Measurement } from '../measurement.model.ts';
import type { Experiment } from '../model.ts';
import { type Answer, type MeasuredReport, MINIMUM_DAYS } from './answer.model.ts';
import { decideAnswer } from './answer.ts';
import { measuredMetrics } from './metrics.ts';

/** Store prices are thousandths, amounts of reports ten-thousandths. */
const TEN_THOUSANDTHS_OF_MILLIUNIT = 10;
const WHOLE_MILLIUNITS = 100_000;

export type Payments = {
  currency: string;
  payments: Payment[];
  purchases: number;
  joined: number;
  unconverted: number;
};

export const needsPayments = ({ metrics }: Measurement): boolean =>
  metrics.some(({ kind }) => kind !== 'event');

/** In minor units of the organization's currency, net of refunds. */
export async function readPayments(
  { deps, orgId, scope }: AppContext<'rates' | 'sql'>,
  { from, to }: { from: Date; to: Date },
): Promise<Payments> {
  const rows = await selectPayments(deps.sql, scope, { from, to, limit: MAX_PAYMENTS + 1 });
  if (rows.length > MAX_PAYMENTS) {
    throw new AppError('conflict', 'Too many purchases were made during this experiment.', {
      hint: `Its revenue is compared for at most ${MAX_PAYMENTS} purchases; compare it by events.`,
    });
  }
  const dayOf = (date: Date) => toIso(date).slice(0, 10);
  const rates = await deps.rates.load(dayOf(from), dayOf(to));
  const own = await currencyOfOrganization(deps, orgId);
  const counts = { purchases: rows.length, joined: 0, unconverted: 0 };
  const result: Payments = { currency: own, payments: [], ...counts };
  for (const { atMs, priceMilliunits, currency, refundedMilliunits, isTrial, person } of rows) {
    const convert = currency && rates.converter(currency, own, dayOf(new Date(atMs)));
    const gross =
      priceMilliunits === null || !convert
        ? null
        : convert(priceMilliunits * TEN_THOUSANDTHS_OF_MILLIUNIT);
    if (gross === null && !isTrial) result.unconverted += 1;
    if (person === null) continue;
    result.joined += 1;
    const amount = (gross ?? 0) * (1 - refundedMilliunits / WHOLE_MILLIUNITS);
    result.payments.push({ person, atUs: atMs * 1_000, amount, isTrial });
  }
  return result;
}

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
