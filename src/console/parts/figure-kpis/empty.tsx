import { UNKNOWN } from '../../format.ts';
import type { Had } from '../../state/had.ts';
import { figures as t } from '../../texts/figures.ts';
import { Spark } from '../chart/index.ts';
import { Kpi } from '../kpis.tsx';

export type Cell = {
  isSubject?: boolean;
  onClick?: () => void;
  href?: string;
  failed?: boolean;
};

const noSpark = <Spark kind="line" values={[]} />;

export function EmptyKpi(
  props: Cell & { label: string; meaning: string; had: Had<unknown>; why: string },
) {
  const { label, meaning, had, why, failed, ...cell } = props;
  return (
    <Kpi
      {...cell}
      label={label}
      meaning={meaning}
      figure={had === undefined ? undefined : UNKNOWN}
      change={had === null && (failed ? t.failed : why)}
      spark={noSpark}
    />
  );
}
