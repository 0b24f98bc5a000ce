import { csvTable } from '../../../shared/csv.ts';
import type { CohortCell, RevenueCohort, RevenueCohorts } from './model.ts';

const FIGURES = [
  'netMinor',
  'perPersonMinor',
  'perPersonLow',
  'perPersonHigh',
  'payers',
  'payingShare',
  'payingShareLow',
  'payingShareHigh',
  'perPayerMinor',
  'perPayerLow',
  'perPayerHigh',
] as const satisfies readonly (keyof Omit<CohortCell, 'subscriptions'>)[];
const SUBSCRIPTIONS = ['begun', 'active', 'share', 'shareLow', 'shareHigh'] as const;

const COLUMNS = [
  ...['value', 'from', 'to', 'people', 'currency', 'period', ...FIGURES],
  ...['subscriptionsBegun', 'subscriptionsActive'],
  ...['subscriptionsShare', 'subscriptionsShareLow', 'subscriptionsShareHigh', 'rest'],
];

/** A line for each period that is over; `rest`: of all other values. */
export function cohortsCsv({ cohorts, groups, currency }: RevenueCohorts): string {
  const rowsOf = (value: string | null, all: readonly RevenueCohort[]) =>
    all.flatMap(({ from, to, people, periods }) =>
      periods.flatMap((cell, period) => {
        if (!cell) return [];
        const { subscriptions } = cell;
        const row = [
          ...[value ?? 'other', from, to, people, currency, period],
          ...FIGURES.map((name) => cell[name]),
          ...SUBSCRIPTIONS.map((name) => subscriptions[name]),
          value === null ? 'true' : '',
        ];
        return [row];
      }),
    );
  const rows = groups
    ? groups.flatMap((group) => rowsOf(group.value, group.cohorts))
    : rowsOf('', cohorts);
  return csvTable(COLUMNS, rows);
}
