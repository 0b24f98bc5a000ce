import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { errorAnswer } from './error-response.ts';
import { logRequest } from './request-log.ts';
import { findState } from './state.ts';

/** Under the 30 s after which proxies and clients give up. */
const ANSWER_WITHIN_MS = 28 * SECOND_MS;
/** For the way of an answer that a query process gives at the end of its own time. */
const REPLY_MS = 3 * SECOND_MS;

/** An operator may give questions more time. */
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

/**
 * The answer, or 503 where there is none `limitMs` after the request has arrived: a sender that is
 * slow takes from its own time. What was begun goes on.
 */
export function answerInTime(
  deps: Deps,
  request: Request,
  answer: Promise<Response>,
  limitMs: number,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const look = () => {
    const state = findState(request);
    const leftMs = (state?.arrivedAtMs ?? performance.now()) + limitMs - performance.now();
    if (state && leftMs <= 0) resolve(late(deps, request));
    else timer = setTimeout(look, leftMs);
  };
  let timer = setTimeout(look, limitMs);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
