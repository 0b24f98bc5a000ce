import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowInternalsInterceptor } from '@temporalio/workflow';
import { MARKS, markOf, type Payload } from './payload-marks.ts';

type Activation = Parameters<
  NonNullable<WorkflowInternalsInterceptor['activate']>
>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Resolution = NonNullable<NonNullable<Job['resolveActivity']>['result']>;
type Failure = NonNullable<Resolution['failed']>['failure'];

const isSealed = (payload: Payload | null | undefined): boolean =>
  payload !== null && payload !== undefined && markOf(payload, MARKS.sealed) !== undefined;

/** What an activity adds to its failures, since message and code are not encrypted. */
export const failurePurpose = (code: string) => `failure:${code}`;
export type FailureProof = { message: string };

/** Timeouts and cancellations are the server's; what an activity says of itself carries its proof. */
function isFailureForged(failure: Failure): boolean {
  for (let cause = failure; cause; cause = cause.cause) {
    const info = cause.applicationFailureInfo;
    if (!info) continue;
    const details: Payload[] = info.details?.payloads ?? [];
    const proof = details.at(-1);
    if (!proof || !details.every(isSealed)) return true;
    if (markOf(proof, MARKS.purpose) !== failurePurpose(info.type ?? '')) return true;
    return defaultPayloadConverter.fromPayload<FailureProof>(proof).message !== cause.message;
  }
  return false;
}

function isForged({ completed, failed }: Resolution): boolean {
  if (completed) return !isSealed(completed.result);
  return failed ? isFailureForged(failed.failure) : false;
}

/** The activities of an activation, by their number, whose answer no worker of ours gave. */
export function forgedAnswers({ jobs }: Activation): number[] {
  return (jobs ?? []).flatMap(({ resolveActivity }) => {
    const { seq, result } = resolveActivity ?? {};
    return typeof seq === 'number' && result && isForged(result) ? [seq] : [];
  });
}
