import { type Exposure, armAssigner, type ServedExperiment } from '../experiments/index.ts';
import { must } from '../../shared/assert.ts';
import type { FlagDefinition } from './model.ts';
import type { Evaluation, Reason } from './ofrep.model.ts';

/** The shipped arm exposes nobody. */
export function armPick(
  experiment: ServedExperiment,
  variations: Readonly<Record<string, string>>,
  write: Write,
): Pick {
  const { id: experimentId, arms, shippedArmId } = experiment;
  if (shippedArmId !== null) {
    const variant = variations[shippedArmId];
    const answer = variant === undefined ? null : write(variant, 'TARGETING_MATCH');
    return () => answer;
  }
  const answers = arms.map(({ id: armId }) => {
    const variant = variations[armId];
    if (variant === undefined) return null;
    const show = (overridden: boolean) =>
      write(variant, 'SPLIT', { experimentId, armId, overridden });
    return { assigned: show(false), byHand: show(true) };
  });
  const assign = armAssigner(experiment);
  return (person) => {
    const { arm, byHand } = assign(person);
    const answer = answers[arm];
    if (!answer) return null;
    return byHand ? answer.byHand : answer.assigned;
  };
}

/** The arm of a running experiment that an answer shows. */
type ArmShown = Omit<Exposure, 'anonymousId'>;

export type Answer = {
  evaluation: Evaluation;
  json: string;
  /** Two halves of a hash of the JSON. */
  hash: readonly [number, number];
  exposure: ArmShown | null;
};

export type Write = (variant: string, reason: Reason, arm?: ArmShown) => Answer;

/** Null for a person who does not take part. */
export type Pick = (person: string) => Answer | null;

/**
 * Values by variant, and their JSON. Whole ones beside others are written as `2.0`: clients of
 * typed languages ask for one type of all values.
 */
function writtenValues({ type, variants }: FlagDefinition) {
  const hasFractions = type === 'number' && variants.some(({ value }) => !Number.isInteger(value));
  return new Map(
    variants.map(({ name, value }) => {
      const text = JSON.stringify(value);
      return [name, { value, text: hasFractions && /^-?\d+$/.test(text) ? `${text}.0` : text }];
    }),
  );
}

function toHalves(json: string): Answer['hash'] {
  const hash = Bun.hash.xxHash3(json);
  return [Number(BigInt.asIntN(32, hash)), Number(BigInt.asIntN(32, hash >> 32n))];
}

export function createWrite(key: string, definition: FlagDefinition): Write {
  const values = writtenValues(definition);
  return (variant, reason, arm) => {
    const { value, text } = must(values.get(variant), 'rules serve variants of their flag');
    const metadata = arm && { metadata: { experiment: arm.experimentId, arm: arm.armId } };
    const others = { reason, variant, ...metadata };
    const json = `{"key":${JSON.stringify(key)},"value":${text},${JSON.stringify(others).slice(1)}`;
    return {
      evaluation: { key, value, ...others },
      json,
      hash: toHalves(json),
      exposure: arm ?? null,
    };
  };
}

export const toBody = (answers: readonly Answer[]): string =>
  `{"flags":[${answers.map(({ json }) => json).join(',')}]}`;

/** The same on every host and after an upgrade. */
export const toEtag = (answers: readonly Answer[]): string =>
  `"${Bun.hash.xxHash3(Int32Array.from(answers.flatMap(({ hash }) => hash))).toString(16)}"`;
