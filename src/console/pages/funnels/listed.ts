import { dimensionOf, isProperty, propertyOf } from '../../state/filter-rules.ts';
import { leakOf } from './groups.ts';
import type { FunnelReport, Selection } from './queries.ts';
import type { Listed } from './settings.ts';

/** Undefined where routes take none. */
export function groupFilter(
  { breakdown }: FunnelReport,
  selection: Selection,
  value: string,
): Partial<Selection> | undefined {
  const dimension = breakdown ? dimensionOf(breakdown.by) : undefined;
  if (!dimension || dimension === 'arm') return undefined;
  if (!isProperty(dimension)) return { [dimension]: value };
  const property = `${propertyOf(dimension)}=${value}`;
  // Routes filter by one property.
  const isOther = selection.property !== undefined && selection.property !== property;
  return isOther ? undefined : { property };
}

export const canListGroups = (report: FunnelReport, selection: Selection): boolean =>
  groupFilter(report, selection, '') !== undefined;

export function listedIn(report: FunnelReport, asked: Listed | undefined): Listed | undefined {
  const isKnown = ({ of }: Listed) =>
    of === undefined ||
    report.breakdown?.values.some(({ value, verdict }) => value === of && verdict === 'ready');
  if (asked && asked.step <= report.steps.length && isKnown(asked)) return asked;
  const leak = leakOf(report.steps);
  if (leak < 1) return undefined;
  return { step: leak + 1, kind: 'stopped', of: undefined, entered: undefined };
}
