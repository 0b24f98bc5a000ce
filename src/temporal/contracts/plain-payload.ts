import {
  ApplicationFailure,
  defaultPayloadConverter,
  type PayloadConverter,
} from '@temporalio/common';
import { inWorkflowContext, workflowInfo } from '@temporalio/workflow';
import { acceptedUntil, MARKS, readMark, type Payload, withMarks } from './payload-marks.ts';

export type Origin = {
  isSealed: boolean;
  purpose: string | undefined;
  acceptedUntil: number | undefined;
};

/** Registered, since the SDK loads this module a second time beside a bundled process. */
const ORIGIN = Symbol.for('control-plane.payload-origin');
const PURPOSE = Symbol.for('control-plane.payload-purpose');

type Marked = { [ORIGIN]?: Origin; [PURPOSE]?: string };

const REFUSED = Object.freeze({ refused: 'payload_not_encrypted' });

const isObject = (value: unknown): value is Marked => typeof value === 'object' && value !== null;

/** A copy encoded for this purpose only. */
export function withPurpose(value: unknown, purpose: string): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.defineProperty({ ...value }, PURPOSE, { value: purpose, writable: true });
}

/** Nothing cannot be encrypted, so one at least. */
export function argsFor(args: readonly unknown[], purpose: string): unknown[] {
  const [first = {}, ...others] = args;
  return [withPurpose(first, purpose), ...others];
}

function isRefused(payload: Payload): boolean {
  const until = acceptedUntil(payload);
  if (until === undefined || !inWorkflowContext()) return false;
  return workflowInfo().startTime.getTime() >= until;
}

export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => {
    const payload = defaultPayloadConverter.toPayload(value, context);
    const purpose = isObject(value) ? value[PURPOSE] : undefined;
    return purpose === undefined ? payload : withMarks(payload, { [MARKS.purpose]: purpose });
  },
  // The converter's interface is generic over what it cannot know.
  fromPayload: <T>(
    payload: Payload,
    context?: Parameters<PayloadConverter['fromPayload']>[1],
  ): T => {
    if (isRefused(payload)) return REFUSED as T;
    const value = defaultPayloadConverter.fromPayload<T>(payload, context);
    if (isObject(value)) {
      const origin: Origin = {
        isSealed: readMark(payload, MARKS.sealed) !== undefined,
        purpose: readMark(payload, MARKS.purpose),
        acceptedUntil: acceptedUntil(payload),
      };
      Object.defineProperty(value, ORIGIN, { value: origin, writable: true });
    }
    return value;
  },
};

export function findOrigin(value: unknown): Origin | undefined {
  return isObject(value) ? value[ORIGIN] : undefined;
}

export const notEncrypted = () =>
  ApplicationFailure.nonRetryable(
    'The input is not encrypted for this run, and the run began after payloads were encrypted.',
    'payload_not_encrypted',
  );

/** Null for earlier or unencrypted payloads. Throws where required. */
export function checkPurpose([first]: readonly unknown[], purpose: string): boolean | null {
  if (first === REFUSED) throw notEncrypted();
  const origin = findOrigin(first);
  if (!origin?.isSealed) return null;
  if (origin.purpose !== purpose) throw notEncrypted();
  return true;
}
