import { expect, test } from 'bun:test';
import { failedFirst, ratesByDay } from '../../../src/console/pages/webhooks/rate.ts';

const on = (day: string, status: 'pending' | 'delivered' | 'failed') => ({
  createdAt: `${day}T12:00:00.000Z`,
  status,
});

test('deliveries are counted by the day that they were made', () => {
  const deliveries = [
    on('2026-11-23', 'delivered'),
    on('2026-11-23', 'failed'),
    on('2026-11-22', 'pending'),
    on('2026-11-10', 'failed'),
  ];
  expect(ratesByDay(deliveries, '2026-11-23', 2)).toEqual([
    { day: '2026-11-22', delivered: 0, failed: 0 },
    { day: '2026-11-23', delivered: 1, failed: 1 },
  ]);
});

test('what failed comes first, each from the newest', () => {
  const made = (id: string, day: string, status: 'delivered' | 'failed') => ({
    ...on(day, status),
    id,
    webhookId: 'w',
    event: 'webhook.test' as const,
    eventId: null,
    finishedAt: null,
    attempts: [],
  });
  const deliveries = [
    made('old', '2026-11-20', 'delivered'),
    made('failed', '2026-11-19', 'failed'),
    made('new', '2026-11-23', 'delivered'),
  ];
  expect(failedFirst(deliveries).map(({ id }) => id)).toEqual(['failed', 'new', 'old']);
});
