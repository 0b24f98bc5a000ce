import type { PayloadConverter } from '@temporalio/common';

export type Payload = Parameters<PayloadConverter['fromPayload']>[0];

/** The codec sets all but `purpose` and `bound-*` while decoding; they never leave the worker. */
export const MARKS = {
  /** For example `workflow:appDeletion`, `signal:stop`, `activity:runEventJob`. */
  purpose: 'purpose',
  boundWorkflow: 'bound-workflow',
  boundActivity: 'bound-activity',
  /** In milliseconds; 0 for none. */
  acceptedUntil: 'accepted-until',
  /** Encrypted with our key for this run. */
  sealed: 'sealed',
} as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

export function readMark(payload: Payload, mark: Mark): string | undefined {
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

export function withoutMarks(payload: Payload, marks: readonly Mark[]): Payload {
  const metadata = { ...payload.metadata };
  for (const mark of marks) delete metadata[mark];
  return { ...payload, metadata };
}

export function acceptedUntil(payload: Payload): number | undefined {
  const text = readMark(payload, MARKS.acceptedUntil);
  return text === undefined ? undefined : Number(text);
}
