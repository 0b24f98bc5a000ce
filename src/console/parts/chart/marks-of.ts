import { signedRate } from '../../format.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { chart as t } from '../../texts/chart.ts';
import type { ChartMark } from './types.ts';

type Happened = {
  kind: 'version' | 'release' | 'experiment_started' | 'experiment_stopped' | 'price' | 'note';
  day: string;
  text: string;
  [VERSION]?: string;
  experimentId?: string;
  price?: { fromMinor: number; toMinor: number };
};

function labelOf({ kind, text, [VERSION]: version, price }: Happened): string {
  if (kind === 'version' || kind === 'release') return version ?? text;
  if (!price || price.fromMinor === 0) return text;
  return t.price(signedRate((price.toMinor - price.fromMinor) / price.fromMinor));
}

export function iconOf(kind: Happened['kind']): ChartMark['kind'] {
  if (kind === 'release') return 'version';
  return kind === 'experiment_started' || kind === 'experiment_stopped' ? 'experiment' : kind;
}

export type { ChartMark };

export const PENDING: readonly ChartMark[] = [];

export function chartMarks<T extends Happened>(
  happened: readonly T[],
  toneOf: (one: T) => ChartMark['tone'] = () => undefined,
): ChartMark[] {
  return happened.map((one, index) => {
    const { kind, day, text, [VERSION]: version, experimentId } = one;
    const tone = toneOf(one);
    return {
      key: `${day} ${index}`,
      kind: iconOf(kind),
      day,
      label: labelOf(one),
      text,
      ...(tone && { tone }),
      ...(version !== undefined && { version }),
      ...(experimentId !== undefined && { experimentId }),
    };
  });
}
