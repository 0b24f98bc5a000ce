import { VERSION } from './filter-rules.ts';
type VersionRate = { [VERSION]: string; firstSeenOn: string | null };

export type VersionComparison = {
  worse: VersionRate;
  before: VersionRate;
  later: VersionRate | null;
  hasRecovered: boolean;
};

export type Compared = { severity: string; step: number | null; comparison?: VersionComparison };

type Tone = 'warn' | 'good';

export function versionTones(recommendations: readonly Compared[]): ReadonlyMap<string, Tone> {
  const tones = new Map<string, Tone>();
  for (const { severity, comparison } of recommendations) {
    if (!comparison) continue;
    const { worse, later, hasRecovered } = comparison;
    if (severity !== 'info') tones.set(worse[VERSION], 'warn');
    if (later && hasRecovered) tones.set(later[VERSION], 'good');
  }
  return tones;
}
