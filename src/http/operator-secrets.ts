import { AppError, noSuchRoute } from '../shared/errors.ts';
import { holdsToken, isSameSecret } from '../shared/same-secret.ts';
import type { OperatorSecret } from './access.ts';
import { isFromThisMachine } from '../shared/this-machine.ts';
import type { RequestState } from './state.ts';

type Asking = { headers: Headers; url: string };
type SecretCheck = (state: Pick<RequestState, 'deps' | 'peer'>, request: Asking) => void;

/** Identical for wrong and unconfigured secrets. */
const cronSecret: SecretCheck = ({ deps }, { headers }) => {
  const [expected, given] = [deps.config.cronSecret, headers.get('x-cron-secret')];
  const same = isSameSecret(expected ?? '', given ?? '');
  if (expected !== undefined && given !== null && same) return;
  throw new AppError('not_available', 'No such resource.');
};

const metricsToken: SecretCheck = ({ deps, peer }, request) => {
  if (isFromThisMachine(deps, { request, peer })) return;
  if (!holdsToken(deps.config.metricsToken, request.headers.get('authorization'))) {
    throw noSuchRoute();
  }
};

/** Required locally too: tables span organizations. */
const lakeToken: SecretCheck = ({ deps }, { headers }) => {
  const { isOn, token } = deps.config.lake;
  if (!isOn || token === undefined) throw noSuchRoute();
  if (holdsToken(token, headers.get('authorization'))) return;
  throw new AppError('invalid_api_key', 'The token of the lake is missing or wrong.', {
    hint: 'authorization: Bearer with LAKE_TOKEN of the service',
  });
};

const CHECKS: Readonly<Record<OperatorSecret, SecretCheck>> = {
  cronSecret,
  metricsToken,
  lakeToken,
};

export function secretCheck(secret: OperatorSecret): SecretCheck {
  const check: SecretCheck | undefined = CHECKS[secret];
  if (check) return check;
  throw new Error(`Nothing checks the secret "${secret}" that a route declares.`);
}
