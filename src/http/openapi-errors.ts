import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import type { Access } from './access.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { possibleErrors } from './openapi-access.ts';
import { responseHeaders } from './openapi-components.ts';
import type { JsonSchema } from './openapi-schema.ts';

const inPascal = (code: ErrorCode) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

export class ErrorResponses {
  private readonly named = new Map<string, JsonSchema>();
  private readonly codes = new Set<ErrorCode>();

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
    const byName = [...this.named].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(byName);
  }

  examples(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.codes].toSorted().map((code) => [code, ERROR_EXAMPLES[code]]),
    );
  }

  private name(status: number, codes: readonly ErrorCode[], access: Access): JsonSchema {
    const headers = responseHeaders(access, status);
    const codesInPascal = codes.map(inPascal).join('Or');
    const name = [
      codesInPascal,
      ...(headers.ratelimit ? [] : ['WithoutLimit']),
      ...(headers['retry-after'] ? ['Later'] : []),
    ].join('');
    const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    for (const code of codes) this.codes.add(code);
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
