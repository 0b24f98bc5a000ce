import { expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService(await testDatabase());
const document = (await service.call('/openapi.json')).body;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

/** Each answer of JSON that is no error. */
const answers = operationsOf(document).flatMap((operation: Operation) =>
  Object.entries<any>(operation.responses).flatMap(([status, { content }]) => {
    const media = content?.['application/json'];
    return status.startsWith('2') && media
      ? [[`${operation.operationId} ${status}`, media] as const]
      : [];
  }),
);

test.each(answers)('%s shows an answer that fits its schema', (_, { schema, example }) => {
  expect(example, 'run `bun test ./test/contract/record-answer-examples.ts`').toBeDefined();
  const fits = ajv.compile({ ...schema, components: document.components });
  expect(fits(example), ajv.errorsText(fits.errors)).toBe(true);
});
