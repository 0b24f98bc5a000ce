/**
 * What a caller must know of a workflow to start it. Contracts are plain values and types, so that
 * workflow code, activities and the API can all import them.
 */
export type WorkflowContract<Type extends string, Input> = {
  /** The exported function's name in `workflows/index.ts`. */
  type: Type;
  /** The id of the run that belongs to this input: the same input never runs twice at once. */
  workflowId: (input: Input) => string;
  /**
   * One line for the operator who reads the list of runs (200 bytes at most). Names of the scope's app
   * and organization are added to it.
   */
  summary: (input: NoInfer<Input>) => string;
  /** What the run is about, unless whoever starts it says so. */
  scope: (input: NoInfer<Input>) => RunScope;
};

/** Declares a contract; the parameter of `workflowId` is the input of the workflow. */
export const workflowContract = <const Type extends string, Input>(
  contract: WorkflowContract<Type, Input>,
): WorkflowContract<Type, Input> => contract;

/** Where runs and all activities wait for a worker, but those below. */
export const TASK_QUEUE = 'control-plane';

/** Of activities that read and write event files for minutes: nothing short waits behind them. */
export const FILES_TASK_QUEUE = 'control-plane-files';

/** What a run is about; kept in search attributes, so never a secret. */
export type RunScope = { orgId: string; appId?: string };

export const ofOrganization = ({ orgId }: RunScope): RunScope => ({ orgId });
export const ofApp = ({ orgId, appId }: { orgId: string; appId: string }): RunScope => ({
  orgId,
  appId,
});
