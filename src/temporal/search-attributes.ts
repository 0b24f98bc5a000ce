import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { RunScope } from './contracts/workflow.ts';

const ORG_ID = defineSearchAttributeKey('OrgId', 'KEYWORD');
const APP_ID = defineSearchAttributeKey('AppId', 'KEYWORD');

/** Registered with the cluster at its start (`--search-attribute OrgId=Keyword …`). */
export const SEARCH_ATTRIBUTE_NAMES = [ORG_ID.name, APP_ID.name];

export function searchAttributes(scope: RunScope): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: ORG_ID, value: scope.orgId }];
  if (scope.appId !== undefined) pairs.push({ key: APP_ID, value: scope.appId });
  return pairs;
}
