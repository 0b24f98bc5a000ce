import type * as apps from './apps.ts';
import type * as backend from './backend.ts';
import type * as digests from './digests.ts';
import type * as events from './events.ts';
import type * as messages from './messages.ts';
import type * as organizations from './organizations.ts';
import type * as preview from './preview.ts';
import type * as purchases from './purchases.ts';
import type * as store from './store.ts';
import type * as watches from './watches.ts';
import type * as webhooks from './webhooks.ts';
import type { WorkflowContract } from './workflow.ts';

type Declarations = typeof apps &
  typeof backend &
  typeof digests &
  typeof events &
  typeof messages &
  typeof organizations &
  typeof preview &
  typeof purchases &
  typeof store &
  typeof watches &
  typeof webhooks;

type Contract = Extract<Declarations[keyof Declarations], WorkflowContract<string, never>>;

export type ContractedWorkflows = {
  [C in Contract as C['type']]: (input: Parameters<C['workflowId']>[0]) => Promise<unknown>;
};
