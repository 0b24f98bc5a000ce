import { must } from '../../shared/assert.ts';
import type { Exposure } from '../experiments/index.ts';
import type { FlagDefinition } from './model.ts';
import type { Reason } from './ofrep.model.ts';

/** Of a running experiment: the arm that an answer shows. */
type ArmShown = Omit<Exposure, 'anonymousId'>;

/** JSON, which is written once, and the arm that it is of. */
export type Answer = { text: string; exposure: ArmShown | null };

/** Keeps an answer; its index. */
export type Keep = (variant: string, reason: Reason, arm?: ArmShown) => number;

/** The index of the answer by person, or `NOBODY`; a number where it is the same for all. */
export type Pick = number | ((person: string) => number);
export const NOBODY = -1;

/**
 * Values by variant, as JSON. Whole ones beside others are written as `2.0`: clients of typed
 * languages ask for one type of all values.
 */
function valueTexts({ type, variants }: FlagDefinition): ReadonlyMap<string, string> {
  const hasFractions = type === 'number' && variants.some(({ value }) => !Number.isInteger(value));
  return new Map(
    variants.map(({ name, value }) => {
      const text = JSON.stringify(value);
      return [name, hasFractions && /^-?\d+$/.test(text) ? `${text}.0` : text];
    }),
  );
}

/** Answers of a flag. */
export function createAnswers(key: string, definition: FlagDefinition) {
  const values = valueTexts(definition);
  const answers: Answer[] = [];
  const keep: Keep = (variant, reason, arm) => {
    const metadata = arm && { metadata: { experiment: arm.experimentId, arm: arm.armId } };
    const others = JSON.stringify({ reason, variant, ...metadata }).slice(1);
    const text = `{"key":${JSON.stringify(key)},"value":${values.get(variant)},${others}`;
    return answers.push({ text, exposure: arm ?? null }) - 1;
  };
  const read = (index: number): Answer => must(answers[index], 'it was kept before');
  return { keep, read };
}
