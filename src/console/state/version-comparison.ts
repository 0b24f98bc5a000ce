/** A version at the step that a rule spoke of. */
type VersionRate = { appVersion: string; firstSeenOn: string | null };

/** With the one before, and the one that may have brought them back. */
export type VersionComparison = {
  worse: VersionRate;
  before: VersionRate;
  later: VersionRate | null;
  hasRecovered: boolean;
};

export type Compared = { severity: string; step: number | null; comparison?: VersionComparison };

type Tone = 'warn' | 'good';

/** Only where a rule spoke of them. */
export function versionTones(recommendations: readonly Compared[]): ReadonlyMap<string, Tone> {
  const tones = new Map<string, Tone>();
  for (const { severity, comparison } of recommendations) {
    if (!comparison) continue;
    const { worse, later, hasRecovered } = comparison;
    if (severity !== 'info') tones.set(worse.appVersion, 'warn');
    if (later && hasRecovered) tones.set(later.appVersion, 'good');
  }
  return tones;
}
