import { at } from '../../shared/assert.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import * as measurements from './measurement.model.ts';
import type { Arm, ChangeExperimentInput, Experiment } from './model.ts';

type NewMetric = NonNullable<measurements.NewMeasurement['metrics']>[number];

function toMetric(metric: NewMetric, index: number): measurements.Metric {
  const { name, kind, event = null, where = null, role = 'deciding', better = 'higher' } = metric;
  const at = `measurement.metrics[${index}]`;
  if (kind === 'event' && event === null) {
    throw invalidInput(`${at}.event`, 'is needed where kind is "event"');
  }
  if (kind !== 'event' && (event !== null || where !== null)) {
    throw invalidInput(`${at}.event`, 'goes with kind "event" only');
  }
  return { id: newId('met'), name, kind, event, where, role, better };
}

export function toMeasurement(
  { metrics, ...change }: measurements.NewMeasurement,
  before: measurements.Measurement = measurements.DEFAULT_MEASUREMENT,
): measurements.Measurement {
  return { ...before, ...change, ...(metrics && { metrics: metrics.map(toMetric) }) };
}

type Draft = NonNullable<ChangeExperimentInput['arms']>[number];

function conflict(message: string, hint: string): AppError {
  return new AppError('conflict', message, { hint });
}

/** After assignment, only names may change. */
function assignsAlike(before: readonly Arm[], after: readonly Draft[]): boolean {
  return (
    before.length === after.length &&
    before.every((arm, index) => {
      const draft = at(after, index);
      const sameId = draft.id === undefined || draft.id === arm.id;
      return sameId && draft.weight === arm.weight && draft.onboardingId === arm.onboardingId;
    })
  );
}

function changedArms(
  experiment: Experiment,
  drafts: readonly Draft[],
  newArmId: () => string,
): Arm[] {
  if (experiment.status !== 'draft' && !assignsAlike(experiment.arms, drafts)) {
    throw conflict(
      'Weights and onboardings are fixed once the experiment has run.',
      'arms: only names may change; create a new experiment for another split',
    );
  }
  const given = drafts.flatMap(({ id }) => id ?? []);
  if (new Set(given).size < given.length) throw invalidInput('arms', 'must have each id once');
  const ids = new Set(experiment.arms.map((arm) => arm.id));
  return drafts.map((draft, index) => {
    const previous = experiment.status === 'draft' ? draft.id : at(experiment.arms, index).id;
    const id = previous !== undefined && ids.has(previous) ? previous : newArmId();
    const { name, weight, onboardingId } = draft;
    return { id, name, weight, ...(onboardingId !== undefined && { onboardingId }) };
  });
}

function withStatus(
  experiment: Experiment,
  status: 'running' | 'stopped',
  now: string,
): Experiment {
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

export function changed(
  experiment: Experiment,
  change: ChangeExperimentInput,
  env: { now: string; newArmId: () => string },
): Experiment {
  if (change.measurement && experiment.status !== 'draft') {
    throw conflict(
      'What is measured is fixed once the experiment has run.',
      'measurement: create a new experiment to measure something else',
    );
  }
  if (change.layer !== undefined && experiment.status !== 'draft') {
    throw conflict(
      'The layer is fixed once the experiment has run.',
      'layer: create a new experiment for another part of the people',
    );
  }
  const arms = change.arms ? changedArms(experiment, change.arms, env.newArmId) : experiment.arms;
  const renamed = {
    ...experiment,
    arms,
    name: change.name ?? experiment.name,
    layer: change.layer === undefined ? experiment.layer : change.layer,
    ...(change.measurement && {
      measurement: toMeasurement(change.measurement, experiment.measurement),
    }),
  };
  return change.status ? withStatus(renamed, change.status, env.now) : renamed;
}
