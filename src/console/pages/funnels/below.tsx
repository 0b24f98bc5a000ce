import type { Days } from '../../state/days.ts';
import { type Group, isByVersion } from './groups.ts';
import { People } from './people.tsx';
import type { FunnelReport, Source } from './queries.ts';
import type { Fall } from './sentence.ts';
import type { Listed } from './listed.ts';
import { Since } from './since.tsx';

export function Below(props: {
  report: FunnelReport;
  groups: readonly Group[];
  days: Days;
  source: Source;
  fall: Fall | null;
  listed: Listed | undefined;
  /** Else it is that of the biggest leak. */
  isAsked: boolean;
  onList: (listed: Listed | undefined) => void;
  onRange: (days: { from: string; to: string }) => void;
}) {
  const { report, groups, days, source, fall, listed, isAsked, onList } = props;
  return (
    <div class={isAsked ? 'grid funnel-below listed' : 'grid funnel-below'}>
      <Since
        {...{ report, days, source, fall }}
        onVersion={listed && isByVersion(report) ? (of) => onList({ ...listed, of }) : undefined}
        onDays={(entered) => listed && onList({ ...listed, entered })}
        onRange={props.onRange}
      />
      {listed && (
        <People
          {...{ report, groups, days, source, listed }}
          onClose={isAsked ? () => onList(undefined) : undefined}
        />
      )}
    </div>
  );
}
