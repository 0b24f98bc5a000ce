import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { toRejection } from '../../shared/provider-rejection.ts';
import type { BackendRefusal } from '../../temporal/contracts/backend.ts';

const MESSAGES: Readonly<Record<BackendRefusal['code'], string>> = {
  not_found: 'No such resource.',
  conflict: 'The backend project cannot be connected to this app.',
  provider_rejected: 'The backend provider could not do this.',
  provider_not_configured: 'No backend provider is configured.',
  secret_storage_unavailable: 'Secret storage is not available.',
  unavailable: 'The backend could not be connected right now. Try again in a moment.',
};

export const ANOTHER_PROJECT = 'The app is connected to another project.';
export const ANOTHER_APP = 'The project is connected to another app.';

export function refusal(
  code: BackendRefusal['code'],
  hint: string,
  retryAfterSeconds: number | null = null,
): BackendRefusal {
  return { kind: 'refused', code, hint, retryAfterSeconds };
}

/** A failure as data, for the history of a workflow. */
export function rejection(thrown: ProviderError): BackendRefusal {
  const error = toRejection(thrown, 'backend');
  const hint = error instanceof AppError ? error.hint : undefined;
  return refusal('provider_rejected', hint ?? '', thrown.retryAfterSeconds ?? null);
}

export function toError({ code: said, hint, retryAfterSeconds }: BackendRefusal): AppError {
  // Runs of another release may use another code.
  const code = Object.hasOwn(MESSAGES, said) ? said : 'unavailable';
  return new AppError(code, MESSAGES[code], {
    // One message for all missing things: existence is not disclosed.
    ...(code !== 'not_found' && hint !== '' && { hint }),
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  });
}

export async function orRefusal<T>(ask: () => Promise<T>): Promise<T | BackendRefusal> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof ProviderError) return rejection(thrown);
    throw thrown;
  }
}
