import type { BackendKnown } from '../src/temporal/contracts/backend.ts';

/** Attempts of this run. */
export type BackendProgress = { searches: number; checks: number };

export type BackendStep = { kind: 'search' | 'release' | 'checkHealth'; afterSeconds: number };

/** Ten minutes: long after any creation under way. */
const SEARCHES = 20;
const SEARCH_EVERY_SECONDS = 30;
/** About two hours. */
const CHECKS = 130;
const FIRST_CHECK_SECONDS = 5;
const LONGEST_CHECK_SECONDS = 60;

/** Null when the run can end. */
export function nextStep(known: BackendKnown, progress: BackendProgress): BackendStep | null {
  switch (known.kind) {
    case 'none':
      return null;
    case 'uncertain':
      return progress.searches < SEARCHES
        ? { kind: 'search', afterSeconds: SEARCH_EVERY_SECONDS }
        : { kind: 'release', afterSeconds: SEARCH_EVERY_SECONDS };
    case 'connected': {
      if (known.isHealthy || progress.checks >= CHECKS) return null;
      const afterSeconds = FIRST_CHECK_SECONDS * 1.5 ** Math.min(progress.checks, 10);
      return { kind: 'checkHealth', afterSeconds: Math.min(afterSeconds, LONGEST_CHECK_SECONDS) };
    }
  }
}

export function counted(progress: BackendProgress, step: BackendStep): BackendProgress {
  return step.kind === 'checkHealth'
    ? { ...progress, checks: progress.checks + 1 }
    : { ...progress, searches: progress.searches + 1 };
}

/** For operators. */
export function describe(known: BackendKnown): string {
  switch (known.kind) {
    case 'none':
      return 'No project';
    case 'uncertain':
      return 'A project was asked for and no answer came; looking for it';
    case 'connected':
      return `Project ${known.projectRef}, ${known.isHealthy ? 'healthy' : 'coming up'}`;
  }
}
