import { Client, Connection, isGrpcServiceError, type WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { clusterOptions } from './connection-options.ts';
import { type RunScope, TASK_QUEUE, type WorkflowContract } from './contracts/workflow.ts';
import { searchAttributes } from './search-attributes.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;

export type TemporalGateway = {
  client: Client;
  /**
   * Starts the run of this input; does nothing when it is running already.
   * Throws `unavailable` while Temporal is away.
   */
  start: <Input>(
    contract: WorkflowContract<Input>,
    input: Input,
    scope: RunScope,
  ) => Promise<WorkflowHandle>;
  /** Runs a call to Temporal with a deadline, its outage told as `unavailable`. */
  call: <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;
  /** True when the server has answered. */
  isUp: () => Promise<boolean>;
  close: () => Promise<void>;
};

/** Connects when first used, so that a process can start while Temporal is still starting. */
export function createTemporalGateway(config: Config, converter: DataConverter): TemporalGateway {
  const connection = Connection.lazy(clusterOptions(config));
  const client = new Client({
    connection,
    namespace: config.temporal.namespace,
    dataConverter: converter,
  });

  const call = async <T>(work: () => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, work);
    } catch (cause) {
      if (!isGrpcServiceError(cause)) throw cause;
      throw new AppError('unavailable', 'The workflow service cannot be reached right now.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  };

  return {
    client,
    call,
    start: (contract, input, scope) =>
      call(() =>
        client.workflow.start(contract.type, {
          taskQueue: TASK_QUEUE,
          workflowId: contract.workflowId(input),
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          args: [input],
          staticSummary: contract.summary(input),
          typedSearchAttributes: searchAttributes(scope),
        }),
      ),
    isUp: async () => {
      try {
        await call(() => connection.workflowService.getSystemInfo({}), 2 * SECOND_MS);
        return true;
      } catch {
        return false;
      }
    },
    close: () => connection.close(),
  };
}
