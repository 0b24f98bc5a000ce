import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { SEARCH_ATTRIBUTE_NAMES } from './contracts/search-attributes.ts';
import type { RunScope } from './contracts/workflow.ts';

const ORG_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.org, 'KEYWORD');
const APP_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.app, 'KEYWORD');

export function searchAttributes(scope: RunScope): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: ORG_ID, value: scope.orgId }];
  if (scope.appId !== undefined) pairs.push({ key: APP_ID, value: scope.appId });
  return pairs;
}
