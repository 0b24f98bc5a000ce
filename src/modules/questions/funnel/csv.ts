import { csvTable } from '../../../shared/csv.ts';
import type { FunnelReport, StepFigures } from './answer.model.ts';

const COLUMNS = [
  'index',
  'event',
  'label',
  'people',
  'dropped',
  'rateFromPrevious',
  'rateFromPreviousLow',
  'rateFromPreviousHigh',
  'rateFromStart',
  'medianSecondsFromPrevious',
  'medianSecondsFromStart',
  'verdict',
] as const satisfies readonly (keyof StepFigures)[];

export function stepsCsv({ steps }: Pick<FunnelReport, 'steps'>): string {
  return csvTable(
    COLUMNS,
    steps.map((step) => COLUMNS.map((column) => step[column])),
  );
}
