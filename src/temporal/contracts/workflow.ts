/**
 * What a caller must know of a workflow to start it. Contracts are plain values and types, so that
 * workflow code, activities and the API can all import them.
 */
export type WorkflowContract<Input> = {
  /** The exported function's name in `workflows/index.ts`. */
  type: string;
  /** The id of the run that belongs to this input: the same input never runs twice at once. */
  workflowId: (input: Input) => string;
  /** One line for the operator who reads the list of runs (200 bytes at most). */
  summary: (input: Input) => string;
};

/** Declares a contract; the input type is checked wherever the workflow is started. */
export function workflowContract<Input>(contract: WorkflowContract<Input>) {
  return contract;
}

/** A question that a running workflow answers; the types are checked on both sides. */
export type WorkflowUpdate<Question, Answer> = {
  name: string;
  /** Never there: carries the types. */
  types?: (question: Question) => Answer;
};

export function workflowUpdate<Question, Answer>(name: string): WorkflowUpdate<Question, Answer> {
  return { name };
}

/** The one task queue of this service. */
export const TASK_QUEUE = 'control-plane';

/** What every run is about; kept in search attributes, so never a secret. */
export type RunScope = { orgId: string; appId?: string };
