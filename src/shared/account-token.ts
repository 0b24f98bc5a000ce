export const ACCOUNT_TOKEN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const UUID = new RegExp(ACCOUNT_TOKEN);
/** Of SDKs that have no account. */
const NONE = '00000000-0000-0000-0000-000000000000';

/** In lower case. */
export function toAccountToken(text: string | null | undefined): string | null {
  const lower = text?.toLowerCase() ?? '';
  return UUID.test(lower) && lower !== NONE ? lower : null;
}

export function spellingsOf(userId: string): string[] {
  const token = toAccountToken(userId);
  return token === null ? [userId] : [...new Set([userId, token, token.toUpperCase()])];
}
