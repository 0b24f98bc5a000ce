import { status } from '@grpc/grpc-js';
import { isGrpcServiceError } from '@temporalio/client';
import { errorMessage } from '../shared/errors.ts';

const LONGEST = 300;
/** The server was not reached, as opposed to refusing. */
const AWAY: readonly status[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.UNKNOWN,
  status.INTERNAL,
];

/** Another attempt is refused too. */
const FOR_GOOD: readonly (status | undefined)[] = [
  status.UNIMPLEMENTED,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
];

type GrpcError = { code: status; details: string };

export function findGrpcError(thrown: unknown): GrpcError | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (isGrpcServiceError(error)) return { code: error.code, details: error.details };
  }
  return null;
}

export const isRefusedForGood = (thrown: unknown): boolean =>
  FOR_GOOD.includes(findGrpcError(thrown)?.code);

export const isRunGone = (thrown: unknown): boolean =>
  findGrpcError(thrown)?.code === status.NOT_FOUND;

function rootCause(thrown: unknown): unknown {
  let root = thrown;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}

export function serverReason(thrown: unknown): string {
  const [line = ''] = (findGrpcError(thrown)?.details ?? errorMessage(rootCause(thrown))).split(
    '\n',
  );
  return line.slice(0, LONGEST);
}

/** A permanent refusal of all starts. */
export function refusesEveryStart(thrown: unknown): boolean {
  const error = findGrpcError(thrown);
  if (error === null || AWAY.includes(error.code)) return false;
  if (error.code === status.INVALID_ARGUMENT) return /search attribute/i.test(error.details);
  if (error.code === status.NOT_FOUND) return /namespace/i.test(error.details);
  return error.code === status.PERMISSION_DENIED || error.code === status.UNAUTHENTICATED;
}
