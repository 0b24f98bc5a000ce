import type { RangeState } from '../../state/range.ts';
import type { VersionDays } from '../../state/version-days.ts';

export type RangePanelProps = {
  range: RangeState;
  versions: readonly VersionDays[];
  close: () => void;
};
