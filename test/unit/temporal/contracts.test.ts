import { expect, test } from 'bun:test';
import type { ContractedWorkflows } from '../../../src/temporal/contracts/index.ts';
import * as workflows from '../../../workflows/index.ts';

test('every contract has a workflow of its name that takes its input', () => {
  const bound: ContractedWorkflows = workflows;
  expect(Object.keys(bound).length).toBeGreaterThan(10);
});

test('a contract without a workflow does not compile', () => {
  const { appDeletion, ...others } = workflows;
  // @ts-expect-error: `appDeletion` is missing.
  const unbound: ContractedWorkflows = others;
  expect(Object.keys(unbound)).not.toContain(appDeletion.name);
});

test('a workflow that wants another input does not compile', () => {
  const appDeletion = async (_input: { orgId: string; slug: string }) => undefined;
  // @ts-expect-error: the contract gives no `slug`.
  const unbound: ContractedWorkflows = { ...workflows, appDeletion };
  expect(unbound).toBeDefined();
});
