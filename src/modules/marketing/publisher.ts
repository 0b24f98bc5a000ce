import type { AppContext, Deps } from '../../context.ts';
import type { Publisher } from '../../providers/publisher/port.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { toRejection } from '../../shared/provider-rejection.ts';

export function requirePublisher(deps: Pick<Deps, 'publisher'>): Publisher {
  if (deps.publisher) return deps.publisher;
  throw new AppError('provider_not_configured', 'No publishing provider is configured.', {
    hint: 'Set PUBLISHER_API_URL and PUBLISHER_API_KEY on the server.',
  });
}

export async function askPublisher<T>(ctx: AppContext<'log'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof ProviderError) {
      ctx.deps.log.warn({ err: thrown, appId: ctx.app.id }, 'publishing provider failed');
    }
    throw toRejection(thrown, 'publishing');
  }
}
