import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { RunScope } from './contracts/workflow.ts';

/** Both must be registered with the cluster: by the embedded server's start, or by its operator. */
const ORG_ID = defineSearchAttributeKey('OrgId', 'KEYWORD');
const APP_ID = defineSearchAttributeKey('AppId', 'KEYWORD');

export function searchAttributes(scope: RunScope): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: ORG_ID, value: scope.orgId }];
  if (scope.appId !== undefined) pairs.push({ key: APP_ID, value: scope.appId });
  return pairs;
}
