/** Operators filter runs by these; registered as keywords in every cluster. */
export const SEARCH_ATTRIBUTE_NAMES = { org: 'OrgId', app: 'AppId' } as const;
