import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import type { Access } from './access.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { possibleErrors } from './openapi-access.ts';
import { responseHeaders } from './openapi-components.ts';
import { inOrder, type JsonSchema } from './openapi-schema.ts';

const inPascal = (code: ErrorCode) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

type ErrorResponse = JsonSchema & { 'x-codes': readonly ErrorCode[] };

export class ErrorResponses {
  private readonly named = new Map<string, ErrorResponse>();

  constructor(private readonly envelope: JsonSchema) {}

  /** By status. */
  refer(method: string, access: Access): Record<string, JsonSchema> {
    const byStatus = Map.groupBy(possibleErrors(method, access), (code) => ERROR_STATUS[code]);
    const answers = [...byStatus].map(([status, codes]): [string, JsonSchema] => [
      String(status),
      this.name(status, codes.toSorted(), access),
    ]);
    return Object.fromEntries(answers);
  }

  internal(access: Access): JsonSchema {
    return this.name(ERROR_STATUS.internal, ['internal'], access);
  }

  all(): Record<string, JsonSchema> {
    return inOrder(this.named);
  }

  examples(): Record<string, unknown> {
    const codes = new Set([...this.named.values()].flatMap((response) => response['x-codes']));
    return Object.fromEntries([...codes].toSorted().map((code) => [code, ERROR_EXAMPLES[code]]));
  }

  private name(status: number, codes: readonly ErrorCode[], access: Access): JsonSchema {
    const headers = responseHeaders(access, status);
    const name = [
      codes.map(inPascal).join('Or'),
      ...(headers.ratelimit ? [] : ['WithoutLimit']),
      ...(headers['retry-after'] ? ['Later'] : []),
    ].join('');
    const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    this.named.set(name, {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers,
      content: {
        'application/json': { schema: this.envelope, examples: Object.fromEntries(examples) },
      },
      'x-codes': codes,
    });
    return { $ref: `#/components/responses/${name}` };
  }
}
