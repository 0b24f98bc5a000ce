import { type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow';
import { refusePlain } from '../src/temporal/contracts/plain-payload.ts';

const check = (args: readonly unknown[]) => refusePlain(args, workflowInfo().startTime.getTime());

/** Where payloads are encrypted, nobody without the key starts a run, signals or updates one. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: async (input, next) => {
        check(input.args);
        return next(input);
      },
      validateUpdate: (input, next) => {
        check(input.args);
        next(input);
      },
      handleUpdate: async (input, next) => {
        check(input.args);
        return next(input);
      },
      handleSignal: async (input, next) => {
        try {
          check(input.args);
        } catch {
          // Thrown, it would end the run that it was sent to.
          return;
        }
        await next(input);
      },
    },
  ],
});
