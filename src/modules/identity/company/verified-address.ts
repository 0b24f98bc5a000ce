/** Accepts one company's Entra ID, not private accounts or AD FS. */
const DIRECTORY =
  /^https:\/\/((login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)\/(?!9188040d-)[\da-f-]{36}\/(v2\.0\/?)?|[^/]+\/adfs\/?)$/i;
const TRUE = /^(true|1)$/i;

/** Directories leave the claim out; some issuers write it as text. */
export const isVerified = (issuer: string, claims: Readonly<Record<string, unknown>>): boolean =>
  claims.email_verified === undefined
    ? DIRECTORY.test(issuer) && TRUE.test(String(claims.xms_edov ?? true))
    : TRUE.test(String(claims.email_verified));
