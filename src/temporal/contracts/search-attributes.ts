/** By these operators filter runs; every cluster has them registered as keywords. */
export const SEARCH_ATTRIBUTE_NAMES = { org: 'OrgId', app: 'AppId' } as const;
