import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { usernameOf } from './publisher.ts';
import { type AppScope, deleteProfile, isProfileReserved } from './queries.ts';

/**
 * For the app's deletion: the provider's profile and our record of it. Throws `unavailable` while
 * the provider fails, to be tried again; without one configured only the record goes.
 */
export async function removeMarketing({ deps }: SystemContext, scope: AppScope): Promise<void> {
  if (deps.publisher && (await isProfileReserved(deps.sql, scope))) {
    try {
      await deps.publisher.deleteProfile(usernameOf(scope.appId));
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
      throw new AppError('unavailable', 'The publishing provider keeps the profile.', {
        cause: thrown,
        ...(thrown.retryAfterSeconds && { retryAfterSeconds: thrown.retryAfterSeconds }),
      });
    }
  }
  await deleteProfile(deps.sql, scope);
}
