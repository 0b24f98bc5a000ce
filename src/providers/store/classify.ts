import { withoutNul } from '../../shared/text.ts';
import { StoreFault } from './port.ts';
import { errorBody } from './wire.ts';

export type StoreFailure = { status: number; retryAfter: string | null; body: string };

type FirstError = { code: string; detail: string; parameter: string | null };

const RETRY_AFTER_MAX_SECONDS = 3600;

export function firstError(body: string): FirstError | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (!errorBody.check(parsed)) return null;
    const error = parsed.errors[0];
    return error
      ? {
          code: withoutNul(error.code),
          detail: withoutNul(error.detail ?? error.title ?? ''),
          parameter: error.source?.parameter ?? null,
        }
      : null;
  } catch {
    return null;
  }
}

export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || !/^\d{1,9}$/.test(header.trim())) return undefined;
  return Math.min(Number(header), RETRY_AFTER_MAX_SECONDS);
}

/** `user-hour-lim:3500;user-hour-rem:500;` → 500; null when invalid. */
export function remainingInHour(header: string | null): number | null {
  const match = /(?:^|;)\s*user-hour-rem:(\d{1,9})(?:;|$)/.exec(header ?? '');
  return match ? Number(match[1]) : null;
}

function forbidden(error: FirstError | null): StoreFault {
  if (error?.code.startsWith('FORBIDDEN.REQUIRED_AGREEMENTS')) {
    return new StoreFault('agreement', 'The store requires an agreement to be signed.');
  }
  return new StoreFault('role', "The key's role does not allow this request.");
}

/** Callers handle 404 and 410 of reports first. */
export function classifyFailure(failure: StoreFailure): StoreFault {
  const { status } = failure;
  const error = firstError(failure.body);
  if (status === 401) return new StoreFault('credentials', 'The store does not accept the key.');
  if (status === 403) return forbidden(error);
  if (status === 404) return new StoreFault('not_found', 'The store has no such resource.');
  if (status === 429) {
    const seconds = retryAfterSeconds(failure.retryAfter);
    return new StoreFault('rate_limited', 'The store is rate limiting the key.', {
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    });
  }
  if (status === 400 && error?.parameter === 'filter[vendorNumber]') {
    return new StoreFault('vendor', 'The store does not know the vendor number.');
  }
  if (status >= 500) {
    const unexpected = error?.code.startsWith('UNEXPECTED_ERROR') ?? false;
    return new StoreFault(
      unexpected ? 'unexpected' : 'unavailable',
      `The store answered ${status}.`,
    );
  }
  const words = error ? `${error.code}: ${error.detail}`.slice(0, 300) : 'no error body';
  return new StoreFault('protocol', `The store answered ${status} (${words}).`);
}

export type MissingReport = 'no_sales' | 'not_yet' | 'unclear';

/** Opposite meanings, told by the detail only. */
export function classifyMissing(body: string): { kind: MissingReport; detail: string } {
  const detail = firstError(body)?.detail ?? '';
  const words = detail.toLowerCase();
  if (words.includes('no sales for the date')) return { kind: 'no_sales', detail };
  if (words.includes('not available yet')) return { kind: 'not_yet', detail };
  return { kind: 'unclear', detail: detail.slice(0, 300) };
}

/** "The latest version for this report is 1_1." */
export function requestedVersion(body: string): string | null {
  const detail = firstError(body)?.detail ?? '';
  return /latest version for this report is (\d{1,3}_\d{1,3})/.exec(detail)?.[1] ?? null;
}

export function isVersionFault(body: string): boolean {
  const error = firstError(body);
  return error?.parameter === 'filter[version]' || requestedVersion(body) !== null;
}
