import { ApiError, ConnectionError, createApi } from '../../../clients/api/src/index.ts';
import { texts } from '../texts/index.ts';
import { noticing } from './changes.ts';
import { errorSentence } from './error-sentence.ts';
import { fetchHere } from './organization.ts';

export const api = createApi({ url: location.origin, fetch: noticing(fetchHere) });

export type RequestError = {
  code: string | undefined;
  message: string;
  hint: string | undefined;
  requestId: string | undefined;
  forbidden: boolean;
  signedOut: boolean;
};

export function toRequestError(error: unknown): RequestError {
  const base = {
    code: undefined,
    hint: undefined,
    requestId: undefined,
    forbidden: false,
    signedOut: false,
  };
  if (error instanceof ApiError) {
    return {
      code: error.code,
      ...errorSentence(error),
      requestId: error.requestId,
      forbidden: error.code === 'permission_denied',
      signedOut: error.code === 'not_signed_in',
    };
  }
  if (error instanceof ConnectionError) return { ...base, message: texts.errors.noAnswer };
  return { ...base, message: error instanceof Error ? error.message : String(error) };
}

/** Of the organization of this tab, the caller is no member. */
export const isElsewhere = ({ code, hint }: RequestError): boolean =>
  code === 'not_found' && Boolean(hint?.startsWith('x-organization:'));

export const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  });
