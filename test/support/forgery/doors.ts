import type { Connection } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import { TASK_QUEUE } from '../../../src/temporal/contracts/workflow.ts';

const v1 = proto.api.workflowservice.v1;
type Workflows = Connection['workflowService'];

/** A request in the JSON form of its message, with its place in the HTTP API. */
type Request = {
  path: string;
  body: Record<string, unknown>;
  byGrpc: (service: Workflows, body: Record<string, unknown>) => Promise<unknown>;
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const plainPayload = (value: unknown, metadata: Record<string, string> = {}) => ({
  metadata: {
    encoding: base64('json/plain'),
    ...Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, base64(text)])),
  },
  data: base64(JSON.stringify(value)),
});

/** Payloads that no converter and no codec can read. */
export const UNREADABLE = [
  { metadata: { encoding: base64('json/plain') }, data: base64('{"no json') },
  { metadata: { encoding: base64('binary/encrypted') }, data: base64('no ciphertext') },
  { metadata: { encoding: base64('nobody/knows') }, data: base64('x') },
];

const payloads = (value: unknown) => ({ payloads: [plainPayload(value)] });
const idOf = (workflowId: string) => ({ workflowId });
const pathOf = (workflowId: string) => `workflows/${encodeURIComponent(workflowId)}`;

export type ForgedStart = {
  workflowId: string;
  type: string;
  input: unknown;
  memo?: Record<string, unknown>;
  orgId?: string;
  taskQueue?: string;
};

export const forge = {
  start: ({ workflowId, type, input, memo = {}, orgId, taskQueue = TASK_QUEUE }: ForgedStart) => ({
    path: pathOf(workflowId),
    body: {
      workflowId,
      workflowType: { name: type },
      taskQueue: { name: taskQueue },
      requestId: crypto.randomUUID(),
      input: payloads(input),
      memo: {
        fields: Object.fromEntries(
          Object.entries(memo).map(([name, value]) => [name, plainPayload(value)]),
        ),
      },
      ...(orgId && {
        searchAttributes: { indexedFields: { OrgId: plainPayload(orgId, { type: 'Keyword' }) } },
      }),
    },
    byGrpc: (service, body) =>
      service.startWorkflowExecution(v1.StartWorkflowExecutionRequest.fromObject(body)),
  }),
  signal: (workflowId: string, signalName: string, input: unknown) => ({
    path: `${pathOf(workflowId)}/signal/${signalName}`,
    body: { workflowExecution: idOf(workflowId), signalName, input: payloads(input) },
    byGrpc: (service, body) =>
      service.signalWorkflowExecution(v1.SignalWorkflowExecutionRequest.fromObject(body)),
  }),
  update: (workflowId: string, name: string, input: unknown) => ({
    path: `${pathOf(workflowId)}/update/${name}`,
    body: {
      workflowExecution: idOf(workflowId),
      waitPolicy: { lifecycleStage: 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED' },
      request: {
        meta: { updateId: crypto.randomUUID(), identity: 'nobody' },
        input: { name, args: payloads(input) },
      },
    },
    byGrpc: (service, body) =>
      service.updateWorkflowExecution(v1.UpdateWorkflowExecutionRequest.fromObject(body)),
  }),
  /** An activity's answer that no worker gave. */
  complete: (workflowId: string, activityId: string, result: unknown) => ({
    path: `activities/${activityId}/complete`,
    body: { workflowId, activityId, result: payloads(result) },
    byGrpc: (service, body) =>
      service.respondActivityTaskCompletedById(
        v1.RespondActivityTaskCompletedByIdRequest.fromObject(body),
      ),
  }),
  fail: (workflowId: string, activityId: string, { isLast }: { isLast: boolean }) => ({
    path: `activities/${activityId}/fail`,
    body: {
      workflowId,
      activityId,
      failure: {
        message: 'Your key was revoked. Upload it again at https://evil.example/apple',
        applicationFailureInfo: { type: 'not_found', nonRetryable: isLast },
      },
    },
    byGrpc: (service, body) =>
      service.respondActivityTaskFailedById(
        v1.RespondActivityTaskFailedByIdRequest.fromObject(body),
      ),
  }),
  heartbeat: (workflowId: string, activityId: string, payload: object) => ({
    path: `activities/${activityId}/heartbeat`,
    body: { workflowId, activityId, details: { payloads: [payload] } },
    byGrpc: (service, body) =>
      service.recordActivityTaskHeartbeatById(
        v1.RecordActivityTaskHeartbeatByIdRequest.fromObject(body),
      ),
  }),
  cancel: (workflowId: string) => ({
    path: `${pathOf(workflowId)}/cancel`,
    body: { workflowExecution: idOf(workflowId), requestId: crypto.randomUUID() },
    byGrpc: (service, body) =>
      service.requestCancelWorkflowExecution(
        v1.RequestCancelWorkflowExecutionRequest.fromObject(body),
      ),
  }),
  terminate: (workflowId: string) => ({
    path: `${pathOf(workflowId)}/terminate`,
    body: { workflowExecution: idOf(workflowId) },
    byGrpc: (service, body) =>
      service.terminateWorkflowExecution(v1.TerminateWorkflowExecutionRequest.fromObject(body)),
  }),
  /** By a job of the server: the HTTP API's paths name no run with a slash in its id. */
  terminateAll: () => {
    const jobId = crypto.randomUUID();
    return {
      path: `batch-operations/${jobId}`,
      body: {
        jobId,
        reason: 'nobody',
        visibilityQuery: 'ExecutionStatus = "Running"',
        terminationOperation: { identity: 'nobody' },
      },
      byGrpc: (service, body) =>
        service.startBatchOperation(v1.StartBatchOperationRequest.fromObject(body)),
    };
  },
  /** To its beginning. */
  reset: (workflowId: string) => ({
    path: `${pathOf(workflowId)}/reset`,
    body: {
      workflowExecution: idOf(workflowId),
      workflowTaskFinishEventId: 3,
      requestId: crypto.randomUUID(),
    },
    byGrpc: (service, body) =>
      service.resetWorkflowExecution(v1.ResetWorkflowExecutionRequest.fromObject(body)),
  }),
} satisfies Record<string, (...args: never[]) => Request>;

/** A way to speak to Temporal for whoever has nothing of the service; says whether it was taken. */
export type Door = { name: string; send: (request: Request) => Promise<boolean> };

const ANSWER_WITHIN_MS = 3_000;
/** gRPC's codes of a request that makes no sense now: there is no such run or activity, or it ends. */
const NOT_NOW = new Set([3, 5, 6, 8, 9]);

const codeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;

export function grpcDoor(connection: Connection, namespace: string): Door {
  return {
    name: 'gRPC',
    send: async ({ body, byGrpc }) => {
      const call = () => byGrpc(connection.workflowService, { namespace, ...body });
      try {
        await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, call);
        return true;
      } catch (thrown) {
        // 4: an update that nobody accepts.
        const code = codeOf(thrown);
        if (typeof code === 'number' && (NOT_NOW.has(code) || code === 4)) return false;
        throw thrown;
      }
    },
  };
}

export function jsonDoor(
  name: string,
  { url, namespace, headers }: { url: string; namespace: string; headers: Record<string, string> },
): Door {
  return {
    name,
    send: async ({ path, body }) => {
      const answer = await fetch(`${url}/api/v1/namespaces/${namespace}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      }).catch((thrown: unknown) => {
        if (thrown instanceof Error && thrown.name === 'TimeoutError') return null;
        throw thrown;
      });
      if (answer === null) return false;
      if (answer.ok) return true;
      const { code, message } = JSON.parse(await answer.text());
      if (NOT_NOW.has(code)) return false;
      throw new Error(`${name} ${path}: ${answer.status} ${message}`);
    },
  };
}
