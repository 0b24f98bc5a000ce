import type { FunnelReport, StepFigures } from './report.model.ts';

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

/** RFC 4180; text that a spreadsheet would take for a formula is shown as text. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The steps of a report, a line each; figures that are refused are empty. */
export function stepsCsv({ steps }: FunnelReport): string {
  const lines = steps.map((step) => COLUMNS.map((column) => cell(step[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}
