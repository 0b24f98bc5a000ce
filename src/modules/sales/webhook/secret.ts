import type { Deps } from '../../../context.ts';

export const HOOK_SECRET_PURPOSE = 'store-webhook';
const scope = (orgId: string) => ({ orgId, purpose: HOOK_SECRET_PURPOSE });

export const sealSecret = ({ secrets }: Pick<Deps, 'secrets'>, orgId: string, secret: string) =>
  secrets.seal(scope(orgId), secret);

export const openSecret = ({ secrets }: Pick<Deps, 'secrets'>, orgId: string, sealed: string) =>
  secrets.open(scope(orgId), sealed);
