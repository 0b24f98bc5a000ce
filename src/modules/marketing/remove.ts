import type { SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { deleteProfile, isProfileReserved } from './queries.ts';

/** Without a provider, the record only. Throws a transient `unavailable`. */
export async function removeMarketing(
  { deps }: SystemContext<'publisher' | 'sql'>,
  scope: AppScope,
): Promise<void> {
  if (deps.publisher && (await isProfileReserved(deps.sql, scope))) {
    try {
      await deps.publisher.deleteProfile(scope.appId);
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
      throw new AppError('unavailable', 'The publishing provider did not delete the profile.', {
        cause: thrown,
        ...(thrown.retryAfterSeconds && { retryAfterSeconds: thrown.retryAfterSeconds }),
      });
    }
  }
  await deleteProfile(deps.sql, scope);
}
