import type { Group, Reference } from './groups.ts';
import type { Listed } from './listed.ts';
import type { FunnelReport } from './queries.ts';

export type StepsProps = {
  report: FunnelReport;
  groups: readonly Group[];
  reference: Reference;
  /** Whether people of a single group can be listed. */
  canListGroups: boolean;
  hrefOf: (listed: Listed) => string;
  onList: (listed: Listed) => void;
};
