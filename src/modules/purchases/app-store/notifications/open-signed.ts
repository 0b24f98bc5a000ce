import type { Deps } from '../../../../context.ts';
import { SignatureError } from '../../../../providers/store-server/port.ts';

/** Rate limits invalid signatures by sender. `refusal`: the error for an invalid one. */
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
