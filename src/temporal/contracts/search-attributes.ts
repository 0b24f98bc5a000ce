/** Filters for operators; keywords in every cluster. */
export const SEARCH_ATTRIBUTE_NAMES = { org: 'OrgId', app: 'AppId' } as const;
