import { idOrNull } from './identity.ts';

export const ACCOUNT_TOKEN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const UUID = new RegExp(ACCOUNT_TOKEN);

/** In lower case. */
export function toAccountToken(text: string | null | undefined): string | null {
  const lower = text?.toLowerCase() ?? '';
  return UUID.test(lower) ? idOrNull(lower) : null;
}

export function spellingsOf(userId: string): string[] {
  const token = toAccountToken(userId);
  return token === null ? [userId] : [...new Set([userId, token, token.toUpperCase()])];
}
