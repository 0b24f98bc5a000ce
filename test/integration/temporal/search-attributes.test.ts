import { expect, test } from 'bun:test';
import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_NAMES } from '../../../src/temporal/contracts/search-attributes.ts';
import { findLack } from '../../../src/temporal/requirements.ts';
import { testTemporal } from '../../support/temporal.ts';

const { connection, namespace } = await testTemporal();
const names = Object.values(SEARCH_ATTRIBUTE_NAMES);

test('checks of a server with SQL visibility list no search attributes, and miss none', async () => {
  let lists = 0;
  const { workflowService, operatorService } = connection;
  const counted = {
    workflowService,
    operatorService: {
      listSearchAttributes: (request: { namespace: string }) => {
        lists += 1;
        return operatorService.listSearchAttributes(request);
      },
    },
  } as unknown as Connection;
  const lack = () => findLack({ connection: counted, namespace });
  expect(await lack()).toBeNull();
  expect(lists).toBe(0);
  await operatorService.removeSearchAttributes({ namespace, searchAttributes: names.slice(0, 1) });
  expect(await lack()).toMatchObject({ attributes: names.slice(0, 1) });
});
