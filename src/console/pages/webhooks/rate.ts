import type { Operations } from '../../../../clients/api/src/index.ts';
import { dayIn } from '../../format.ts';
import { addDays } from '../../state/days.ts';

export type Delivery = Operations['listWebhookDeliveries']['output']['deliveries'][number];

export type DayRate = { day: string; delivered: number; failed: number };

export function ratesByDay(
  deliveries: readonly Pick<Delivery, 'createdAt' | 'status'>[],
  today: string,
  days: number,
): DayRate[] {
  const rates = Array.from({ length: days }, (_, index) => ({
    day: addDays(today, index + 1 - days),
    delivered: 0,
    failed: 0,
  }));
  const byDay = new Map(rates.map((rate) => [rate.day, rate]));
  for (const { createdAt, status } of deliveries) {
    const rate = byDay.get(dayIn(createdAt));
    if (rate && status !== 'pending') rate[status] += 1;
  }
  return rates;
}

export const failedFirst = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.toSorted(
    (one, other) =>
      Number(other.status === 'failed') - Number(one.status === 'failed') ||
      other.createdAt.localeCompare(one.createdAt),
  );
