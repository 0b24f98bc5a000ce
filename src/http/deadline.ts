import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { errorAnswer } from './error-response.ts';
import { logRequest } from './request-log.ts';
import { findState } from './state.ts';

/** Below the 30 s timeout of proxies and clients. */
const ANSWER_WITHIN_MS = 28 * SECOND_MS;
/** Transfer time of a query's answer at its own deadline. */
const REPLY_MS = 3 * SECOND_MS;

export const answerWithinMs = ({ query }: Pick<Config, 'query'>): number =>
  Math.max(ANSWER_WITHIN_MS, query.timeoutSeconds * SECOND_MS + REPLY_MS);

function late(deps: Deps, request: Request): Response {
  const error = new AppError('unavailable', 'The service could not answer in time; try again.', {
    hint: 'Whether the request was carried out is not known: read before you write again.',
  });
  const { status, headers, body } = errorAnswer(error);
  logRequest(deps, request, status, error);
  return Response.json(body, {
    status,
    headers: { ...findState(request)?.answerHeaders, ...headers },
  });
}

export function answerInTime(
  deps: Deps,
  request: Request,
  answer: Promise<Response>,
  limitMs: number,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const check = () => {
    const state = findState(request);
    const leftMs = (state?.arrivedAtMs ?? performance.now()) + limitMs - performance.now();
    if (state && leftMs <= 0) resolve(late(deps, request));
    else timer = setTimeout(check, leftMs);
  };
  let timer = setTimeout(check, limitMs);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
