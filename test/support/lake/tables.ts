/** Every table of the lake, in the order of their names. */
export const LAKE_TABLES = [
  'audit',
  'deleted_apps',
  'entitlements',
  'erasures',
  'events',
  'exposures',
  'people',
  'purchases',
  'sales',
];
