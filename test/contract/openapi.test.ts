import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ACCESS } from '../support/access/table.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService(await testDatabase());
const answer = await service.call('/openapi.json');
const document = answer.body;

type Operation = {
  operationId: string;
  summary?: string;
  responses: Record<string, any>;
  security?: unknown[];
};
const operations: [string, Operation][] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(
      ([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation],
    ),
);

describe('the OpenAPI document', () => {
  test('passes a public validator', async () => {
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('holds every route of the access table but the documentation itself', () => {
    const routes = Object.keys(ACCESS)
      .filter(
        (route) =>
          !/ \/(docs|openapi\.json|pages\/|accept-invitation$|sign-up$|reset-password$)/.test(
            route,
          ),
      )
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'))
      .toSorted();
    expect(operations.map(([name]) => name).toSorted()).toEqual(routes);
  });

  test.each(operations)('%s says what it is and how it can fail', (name, operation) => {
    expect(operation.summary?.length ?? 0).toBeGreaterThan(3);
    expect(Object.keys(operation.responses)).toContain('500');
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.description.length).toBeGreaterThan(0);
      if (Number(status) < 400 || name === 'GET /healthz') continue;
      expect(response.content['application/json'].schema.$ref).toBe('#/components/schemas/Error');
    }
  });

  test('operation ids are unique', () => {
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('routes that need a caller say which one', () => {
    for (const [route, access] of Object.entries(ACCESS)) {
      if (access.who.length === 0 || /\/(docs|pages)/.test(route)) continue;
      const name = route.replaceAll(/:(\w+)/g, '{$1}');
      const operation = operations.find(([candidate]) => candidate === name)?.[1];
      expect(operation?.security?.length ?? 0).toBeGreaterThan(0);
      expect(operation?.responses['401']).toBeDefined();
    }
  });

  test('integers are integers, and JSON is the only media type of errors and bodies', () => {
    expect(answer.text).not.toContain('multipart/form-data');
    expect(answer.text).not.toContain('"format":"integer"');
    expect(answer.text).not.toContain('"format":"numeric"');
    expect(answer.text).not.toContain('text-1-80');
  });
});
