import { UNKNOWN } from '../../format.ts';
import { figures as t } from '../../texts/figures.ts';
import { Spark } from '../chart/index.ts';
import { Kpi } from '../kpis.tsx';

/** Undefined while it is on its way, null where there is none or it could not be had. */
export type Had<T> = T | null | undefined;

export type Cell = {
  isSubject?: boolean;
  onClick?: () => void;
  href?: string;
  failed?: boolean;
};

/** The same height while its figure is on its way. */
const noSpark = <Spark kind="line" values={[]} />;

/** A figure that is on its way, or of which there is none. */
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
