/** What a new password may be, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;
