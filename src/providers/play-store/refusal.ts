import { decodeJson, type HttpAnswer } from '../../shared/http.ts';
import * as errors from '../../shared/provider-error.ts';
import { errorAnswer } from './wire.ts';

type Refusal = { failure: errors.ProviderFailure; message: string };

const PERMISSION: Refusal = {
  failure: 'forbidden',
  message:
    'The service account may not read purchases of this app: invite its e-mail address in Play Console under Users and permissions, with "View financial data" and "Manage orders and subscriptions". It takes up to 36 hours to take effect.',
};
const API_OFF: Refusal = {
  failure: 'forbidden',
  message:
    'The Google Play Android Developer API is off in the project of the service account: enable it in Google Cloud under APIs and services.',
};
const NO_APP: Refusal = {
  failure: 'not_found',
  message: 'Google Play has no app with this package name, or none was ever uploaded.',
};

/** One refusal is seen as 401 and as 403. */
const BY_REASON: ReadonlyMap<string, Refusal> = new Map([
  ['userInsufficientPermission', PERMISSION],
  ['permissionDenied', PERMISSION],
  ['projectNotLinked', PERMISSION],
  ['accessNotConfigured', API_OFF],
  ['SERVICE_DISABLED', API_OFF],
  ['applicationNotFound', NO_APP],
]);

function reasonOf(body: unknown): string | null {
  if (!errorAnswer.check(body)) return null;
  return body.error.errors?.[0]?.reason ?? body.error.status ?? null;
}

/** A gateway's 403 or 404 says nothing about a purchase. */
function kindOf(status: number, isOwn: boolean): errors.ProviderFailure | null {
  const isForeign = !isOwn && (status === 403 || status === 404 || status === 410);
  return isForeign ? 'unavailable' : errors.failureOfStatus(status);
}

export function refusalOf(
  answer: HttpAnswer,
  method: 'GET' | 'POST',
  now: Date,
): errors.ProviderError | null {
  const body = decodeJson(answer);
  const reason = reasonOf(body);
  const kind = kindOf(answer.status, reason !== null);
  if (kind === null) return null;
  const known = reason === null ? undefined : BY_REASON.get(reason);
  const failure = known?.failure ?? kind;
  const message =
    known?.message ?? `Google Play answered ${answer.status} (${reason ?? 'no reason'}).`;
  return new errors.ProviderError(failure, message, {
    status: answer.status,
    outcomeUnknown: method === 'POST' && failure === 'unavailable',
    ...(failure === 'rate_limited'
      ? { retryAfterSeconds: errors.waitSeconds(answer, now, null) }
      : {}),
  });
}
