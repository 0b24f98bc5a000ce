import { csvCell } from '../../../shared/csv.ts';
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
  const lines = steps.map((step) => COLUMNS.map((column) => csvCell(step[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}
