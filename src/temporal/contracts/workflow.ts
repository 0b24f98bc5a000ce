export type WorkflowContract<Type extends string, Input> = {
  type: Type;
  /** Same input, same id: never twice at once. */
  workflowId: (input: Input) => string;
  /** At most 200 bytes, for operators; names are added. */
  summary: (input: NoInfer<Input>) => string;
  /** In schedules, and runs that outlive the name. */
  isUnnamed?: true;
  /** Default scope. */
  scope: (input: NoInfer<Input>) => RunScope;
};

export const workflowContract = <const Type extends string, Input>(
  contract: WorkflowContract<Type, Input>,
): WorkflowContract<Type, Input> => contract;

/** Workflows, and all activities but those of `FILES_TASK_QUEUE`. */
export const TASK_QUEUE = 'control-plane';

export const FILES_TASK_QUEUE = 'control-plane-files';

/** Stored as search attributes: never a secret. */
export type RunScope = { orgId: string; appId?: string };

export const ofOrganization = ({ orgId }: RunScope): RunScope => ({ orgId });
export const ofApp = ({ orgId, appId }: { orgId: string; appId: string }): RunScope => ({
  orgId,
  appId,
});
