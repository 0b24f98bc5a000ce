import type { PayloadConverter } from '@temporalio/common';

/** A payload as converter and codec get it. */
export type Payload = Parameters<PayloadConverter['fromPayload']>[0];

/**
 * Metadata of payloads. `purpose` and the `bound-` ones are encrypted along with the value; the
 * others are put there by the codec while it decodes, and never leave the worker.
 */
export const MARKS = {
  /** What the value was made for: `workflow:appDeletion`, `signal:stop`, `activity:runEventJob` … */
  purpose: 'purpose',
  boundWorkflow: 'bound-workflow',
  boundActivity: 'bound-activity',
  /** Runs that began before this instant (milliseconds) may hold the value; 0: none may. */
  acceptedUntil: 'accepted-until',
  /** Encrypted with our key, for the run that it came from. */
  sealed: 'sealed',
} as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

export function markOf(payload: Payload, mark: Mark): string | undefined {
  const bytes = payload.metadata?.[mark];
  return bytes ? new TextDecoder().decode(bytes) : undefined;
}

export function withMarks(payload: Payload, marks: Partial<Record<Mark, string>>): Payload {
  const encoded = Object.entries(marks).map(([mark, text]) => [
    mark,
    new TextEncoder().encode(text),
  ]);
  return { ...payload, metadata: { ...payload.metadata, ...Object.fromEntries(encoded) } };
}

/** Without what a sender may have put where only the codec writes. */
export function withoutMarks(payload: Payload, marks: readonly Mark[]): Payload {
  const metadata = { ...payload.metadata };
  for (const mark of marks) delete metadata[mark];
  return { ...payload, metadata };
}

export function acceptedUntil(payload: Payload): number | undefined {
  const text = markOf(payload, MARKS.acceptedUntil);
  return text === undefined ? undefined : Number(text);
}
