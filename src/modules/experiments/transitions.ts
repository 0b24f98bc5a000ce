import { AppError } from '../../shared/errors.ts';
import type { Arm, ChangeExperimentInput, Experiment } from './model.ts';

type Draft = NonNullable<ChangeExperimentInput['arms']>[number];

function conflict(message: string, hint: string): AppError {
  return new AppError('conflict', message, { hint });
}

/** What decides who sees what; only names may change once people were dealt. */
function dealsAlike(before: readonly Arm[], after: readonly Draft[]): boolean {
  return (
    before.length === after.length &&
    before.every((arm, index) => {
      const other = after[index];
      const sameId = other?.id === undefined || other.id === arm.id;
      return sameId && other?.weight === arm.weight && other.onboardingId === arm.onboardingId;
    })
  );
}

function changedArms(
  experiment: Experiment,
  drafts: readonly Draft[],
  newArmId: () => string,
): Arm[] {
  if (experiment.status !== 'draft' && !dealsAlike(experiment.arms, drafts)) {
    throw conflict(
      'Weights and onboardings are fixed once the experiment has run.',
      'arms: only names may change; make a new experiment for another split',
    );
  }
  const known = new Set(experiment.arms.map((arm) => arm.id));
  return drafts.map((draft, index) => {
    const kept = experiment.status === 'draft' ? draft.id : experiment.arms[index]?.id;
    const id = kept !== undefined && known.has(kept) ? kept : newArmId();
    return { id, name: draft.name, weight: draft.weight, onboardingId: draft.onboardingId };
  });
}

function moved(experiment: Experiment, status: 'running' | 'stopped', now: string): Experiment {
  if (experiment.status === status) return experiment;
  if (status === 'running' && experiment.status === 'draft') {
    return { ...experiment, status, startedAt: now };
  }
  if (status === 'stopped' && experiment.status === 'running') {
    return { ...experiment, status, stoppedAt: now };
  }
  throw conflict(
    `An experiment that is ${experiment.status} cannot become ${status}.`,
    'status: draft → running → stopped, in this order',
  );
}

/** The experiment after a change; throws `conflict` for one that its state does not allow. */
export function changed(
  experiment: Experiment,
  change: ChangeExperimentInput,
  env: { now: string; newArmId: () => string },
): Experiment {
  const arms = change.arms ? changedArms(experiment, change.arms, env.newArmId) : experiment.arms;
  const renamed = { ...experiment, arms, name: change.name ?? experiment.name };
  return change.status ? moved(renamed, change.status, env.now) : renamed;
}
