import type { Exposure } from '../experiments/index.ts';
import type { Draw } from './draws.ts';
import type { FlagDefinition } from './model.ts';
import type { Reason } from './ofrep.model.ts';

/** Of a running experiment: the arm that an answer shows. */
type ArmShown = Omit<Exposure, 'anonymousId'>;

/** JSON, which is written and encoded once, and the arm that it is of. */
export type Answer = {
  json: Buffer<ArrayBuffer>;
  /** Behind a comma, among others. */
  further: Buffer<ArrayBuffer>;
  /** Two halves of a hash of the JSON. */
  hash: readonly [number, number];
  exposure: ArmShown | null;
};

export type Write = (variant: string, reason: Reason, arm?: ArmShown) => Answer;

/** By person; an answer: for all. */
export type Pick = Answer | Draw<Answer>;

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

function halvesOf(json: Uint8Array): Answer['hash'] {
  const hash = Bun.hash.xxHash3(json);
  return [Number(BigInt.asIntN(32, hash)), Number(BigInt.asIntN(32, hash >> 32n))];
}

export function createWrite(key: string, definition: FlagDefinition): Write {
  const values = valueTexts(definition);
  return (variant, reason, arm) => {
    const metadata = arm && { metadata: { experiment: arm.experimentId, arm: arm.armId } };
    const others = JSON.stringify({ reason, variant, ...metadata }).slice(1);
    const text = `{"key":${JSON.stringify(key)},"value":${values.get(variant)},${others}`;
    const further = Buffer.from(`,${text}`);
    const json = further.subarray(1);
    return { json, further, hash: halvesOf(json), exposure: arm ?? null };
  };
}
