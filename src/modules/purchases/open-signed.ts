import type { Deps } from '../../context.ts';
import { SignatureError } from '../../providers/store-server/port.ts';

/**
 * Opens what a stranger says the store signed. Who has sent too much of what it did not sign is
 * refused before anything is looked at; `refusal` is the answer to a signature that does not hold.
 */
export async function openSigned<T>(
  { rateLimits }: Pick<Deps, 'rateLimits'>,
  sender: string,
  work: { open: () => Promise<T>; refusal: (cause: SignatureError) => Error },
): Promise<T> {
  await rateLimits.check('invalidSignature', sender);
  try {
    return await work.open();
  } catch (cause) {
    if (!(cause instanceof SignatureError)) throw cause;
    await rateLimits.take('invalidSignature', sender);
    throw work.refusal(cause);
  }
}
