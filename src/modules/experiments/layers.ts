import { AppError, invalidInput } from '../../shared/errors.ts';
import { BUCKETS, bucketBy } from './assignment.ts';
import { type Experiment, isOfFlags, type Layer } from './model.ts';

const toBuckets = (percent: number): number => Math.round((percent * BUCKETS) / 100);

export const layerSeed = (name: string): string => `layer:${name}`;

export function isInLayer({ name, fromPercent, toPercent }: Layer): (person: string) => boolean {
  const [from, to] = [toBuckets(fromPercent), toBuckets(toPercent)];
  const bucketOfPerson = bucketBy(layerSeed(name));
  return (person) => {
    const bucket = bucketOfPerson(person);
    return bucket >= from && bucket < to;
  };
}

export function checkLayer({ layer, arms }: Pick<Experiment, 'layer' | 'arms'>): void {
  if (layer === null) return;
  if (!isOfFlags(arms)) {
    throw invalidInput(
      'layer',
      'is for experiments of flags: leave out the onboardings of the arms',
    );
  }
  for (const field of ['fromPercent', 'toPercent'] as const) {
    const buckets = layer[field] * 100;
    if (Math.abs(buckets - Math.round(buckets)) > 1e-6) {
      throw invalidInput(`layer.${field}`, 'must have at most two decimals');
    }
  }
  if (toBuckets(layer.fromPercent) >= toBuckets(layer.toPercent)) {
    throw invalidInput('layer.toPercent', 'must be more than fromPercent');
  }
}

export function checkAlone({ id, layer }: Experiment, all: readonly Experiment[]): void {
  if (layer === null) return;
  const other = all.find(
    (one) =>
      one.id !== id &&
      one.status === 'running' &&
      one.layer?.name === layer.name &&
      one.layer.fromPercent < layer.toPercent &&
      layer.fromPercent < one.layer.toPercent,
  );
  if (!other) return;
  throw new AppError('conflict', `The experiment “${other.name}” has some of these people.`, {
    hint: `layer: ${other.layer?.fromPercent} to ${other.layer?.toPercent} % of it is taken while that one runs`,
  });
}
