import type { Deps } from '../../context.ts';
import { AppError, noSuchRoute } from '../../shared/errors.ts';
import { holdsToken } from '../../shared/same-secret.ts';

/**
 * Throws 401 without `LAKE_TOKEN`, also on this machine: the tables hold every organization. Where
 * there is no lake, or no token, there is no such route.
 */
export function checkOperator({
  deps,
  headers,
}: {
  deps: Pick<Deps, 'config'>;
  headers: Headers;
}): void {
  const { isOn, token } = deps.config.lake;
  if (!isOn || token === undefined) throw noSuchRoute();
  if (!holdsToken(token, headers.get('authorization'))) {
    throw new AppError('invalid_api_key', 'The token of the lake is missing or wrong.', {
      hint: 'authorization: Bearer with LAKE_TOKEN of the service',
    });
  }
}
