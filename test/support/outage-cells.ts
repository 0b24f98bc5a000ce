/** What is taken away from a service under load; the columns of the table in docs/runbook.md. */
export const AWAY = ['PostgreSQL', 'Temporal', 'the bucket', 'Redis'] as const;
export type Away = (typeof AWAY)[number];

export const ROWS = [
  'events',
  'reports',
  'entitlement',
  'webhooks',
  'sales',
  'sign-in',
  'new apps',
  'logs',
  'console',
] as const;
export type Row = (typeof ROWS)[number];

/**
 * What a caller meets meanwhile: `goes on` is 2xx throughout; `503` is that (or no answer in time);
 * `waits` is taken and done when it is back.
 */
export type Cell = '503' | 'goes on' | 'waits';

const UNNOTICED: Record<Row, Cell> = {
  events: 'goes on',
  reports: 'goes on',
  entitlement: 'goes on',
  webhooks: 'goes on',
  sales: 'goes on',
  'sign-in': 'goes on',
  'new apps': 'goes on',
  logs: 'goes on',
  console: 'goes on',
};

export const CELLS: Record<Away, Record<Row, Cell>> = {
  PostgreSQL: {
    events: 'goes on',
    reports: '503',
    entitlement: '503',
    webhooks: '503',
    sales: '503',
    'sign-in': '503',
    'new apps': '503',
    logs: 'goes on',
    console: 'goes on',
  },
  Temporal: {
    events: 'goes on',
    reports: 'goes on',
    entitlement: 'goes on',
    webhooks: 'waits',
    sales: '503',
    'sign-in': 'goes on',
    'new apps': 'waits',
    logs: 'goes on',
    console: 'goes on',
  },
  'the bucket': UNNOTICED,
  Redis: UNNOTICED,
};
