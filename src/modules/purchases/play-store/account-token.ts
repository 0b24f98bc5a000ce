const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null of an account id that is no UUID. */
export const accountTokenOf = ({ accountId }: { accountId: string | null }): string | null =>
  accountId !== null && UUID.test(accountId) ? accountId.toLowerCase() : null;
