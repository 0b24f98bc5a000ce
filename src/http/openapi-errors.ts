import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import type { Access } from './access.ts';
import { possibleErrors } from './openapi-access.ts';
import { responseHeaders } from './openapi-components.ts';
import { inOrder, type JsonSchema } from './openapi-schema.ts';

type ErrorText = readonly [message: string, hint?: string];

const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_input: ['The request is not valid.', 'displayName: must be 1 to 80 characters'],
  malformed_json: ['The request body is not valid JSON.'],
  no_active_organization: [
    'There is no active organization.',
    'Choose one with POST /v1/auth/organization/set-active.',
  ],
  confirmation_mismatch: [
    'The confirmation is not the slug of the app.',
    'confirm: must be "focus-timer"',
  ],
  invalid_batch: [
    'The batch is not valid. The first event is wrong.',
    'events[0].name: must be lower case letters, digits and underscores',
  ],
  store_credentials_rejected: ['The store rejected the key.'],
  invalid_transaction: ['The transaction is not signed by the store.'],
  transaction_not_for_app: ['The transaction belongs to another app.'],
  not_signed_in: ['You are not signed in.'],
  invalid_api_key: ['The API key is unknown or revoked.'],
  invalid_service_key: ['The publishable key is unknown or revoked.'],
  invalid_signature: ['The notification is not signed by the store.'],
  permission_denied: ['You may not do this.', 'This needs the permission "analytics:read".'],
  store_role_missing: ['The key lacks the role that this needs.'],
  store_agreement_required: [
    'The store requires a signed agreement.',
    'The Account Holder signs it in App Store Connect under Business; the key is fine.',
  ],
  origin_not_allowed: ['Requests from this site are not allowed.'],
  not_found: ['No such resource.'],
  store_app_not_found: ['No such store app in this organization.'],
  store_not_connected: ['No store is connected.', 'Connect one with POST /v1/store/connection.'],
  not_available: ['No such resource.'],
  method_not_allowed: ['This path does not answer PUT.', 'Use DELETE, GET, PATCH.'],
  app_already_imported: ['This store app belongs to an app already.'],
  slug_taken: ['Another app of this organization has this slug.'],
  conflict: [
    'The organization has reached its limit of apps.',
    'Delete an app first; an organization may have 2000.',
  ],
  body_too_large: ['The request body is larger than 64 KB.', 'body: at most 65536 bytes'],
  unsupported_media_type: [
    'The request body must be JSON.',
    'Send the header Content-Type: application/json.',
  ],
  rate_limited: ['Too many requests.', 'At most 600 in 60 seconds.'],
  store_rate_limited: ['The store is rate limiting the key.'],
  internal: ['Something went wrong on our side.'],
  provider_rejected: ['The backend provider could not do this.'],
  store_unavailable: ['The store did not give a usable answer.', 'Try again in a few minutes.'],
  store_not_configured: [
    'The store integration is not available.',
    'Set SECRETS_KEY on the server.',
  ],
  provider_not_configured: ['No backend provider is configured.'],
  secret_storage_unavailable: ['Secret storage is not available.'],
  unavailable: ['The service is temporarily unavailable; try again.'],
};

const ERROR_EXAMPLES = Object.fromEntries(
  Object.entries(ERROR_TEXTS).map(([code, [message, hint]]) => [
    code,
    { value: { error: { code, message, ...(hint !== undefined && { hint }) } } },
  ]),
);

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
