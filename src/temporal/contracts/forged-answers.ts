import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowInternalsInterceptor } from '@temporalio/workflow';
import { acceptedUntil, MARKS, readMark, type Payload } from './payload-marks.ts';

type Activation = Parameters<
  NonNullable<WorkflowInternalsInterceptor['activate']>
>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Resolution = NonNullable<NonNullable<Job['resolveActivity']>['result']>;
type Failure = NonNullable<Resolution['failed']>['failure'];

const isSealed = (payload: Payload): boolean => readMark(payload, MARKS.sealed) !== undefined;

/** From hosts of the previous release. */
const isEarlier = (payload: Payload, startedMs: number): boolean =>
  startedMs < (acceptedUntil(payload) ?? 0);

/** Message and code are unencrypted. */
export const failurePurpose = (code: string) => `failure:${code}`;
export type FailureProof = { message: string };

/** The server's have no proof. */
function isFailureForged(failure: Failure, startedMs: number): boolean {
  for (let cause = failure; cause; cause = cause.cause) {
    const info = cause.applicationFailureInfo;
    if (!info) continue;
    const details: Payload[] = info.details?.payloads ?? [];
    const proof = details.at(-1);
    if (!proof) return true;
    if (details.every((one) => isEarlier(one, startedMs))) return false;
    if (!details.every(isSealed)) return true;
    if (readMark(proof, MARKS.purpose) !== failurePurpose(info.type ?? '')) return true;
    return defaultPayloadConverter.fromPayload<FailureProof>(proof).message !== cause.message;
  }
  return false;
}

function isForged({ completed, failed }: Resolution, startedMs: number): boolean {
  if (failed) return isFailureForged(failed.failure, startedMs);
  if (!completed) return false;
  const { result } = completed;
  return !result || !(isSealed(result) || isEarlier(result, startedMs));
}

export function forgedAnswers({ jobs }: Activation, startedMs: number): number[] {
  return (jobs ?? []).flatMap(({ resolveActivity }) => {
    const { seq, result } = resolveActivity ?? {};
    return typeof seq === 'number' && result && isForged(result, startedMs) ? [seq] : [];
  });
}
