import type { WorkflowClientInterceptor } from '@temporalio/client';
import { argsFor } from './contracts/plain-payload.ts';

const forWorkflow = <Options extends { args: unknown[] }>(type: string, options: Options) => ({
  ...options,
  args: argsFor(options.args, `workflow:${type}`),
});

export const workflowPurposes: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    next({ ...input, options: forWorkflow(input.workflowType, input.options) }),
  signal: (input, next) =>
    next({ ...input, args: argsFor(input.args, `signal:${input.signalName}`) }),
  signalWithStart: (input, next) =>
    next({
      ...input,
      signalArgs: argsFor(input.signalArgs, `signal:${input.signalName}`),
      options: forWorkflow(input.workflowType, input.options),
    }),
  startUpdate: (input, next) =>
    next({ ...input, args: argsFor(input.args, `update:${input.updateName}`) }),
  startUpdateWithStart: (input, next) =>
    next({
      ...input,
      updateArgs: argsFor(input.updateArgs, `update:${input.updateName}`),
      workflowStartOptions: forWorkflow(input.workflowType, input.workflowStartOptions),
    }),
};
