export type FieldRule = { pattern: string; rule: string; minLength?: number; maxLength?: number };

const WORDS = 'then letters, digits, dots, hyphens and underscores';

/** Fields that people type, for schemas, hints of the API and forms of the console. */
export const FIELD_RULES = {
  appSlug: {
    ...{ pattern: '^[a-z][a-z0-9-]*[a-z0-9]$', minLength: 3, maxLength: 40 },
    rule: 'must be 3 to 40 lower-case letters, digits and hyphens: a letter first, no hyphen last',
  },
  organizationSlug: {
    pattern: '^[a-z][a-z0-9-]{1,46}[a-z0-9]$',
    rule: 'must be 3 to 48 lower-case letters, digits and hyphens: a letter first, no hyphen last',
  },
  flagKey: {
    pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63}$',
    rule: `must be a letter, ${WORDS}: 64 at most`,
  },
  variantName: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$',
    rule: `must be a letter or digit, ${WORDS}: 40 at most`,
  },
  layerName: {
    pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
    rule: 'must be lower-case letters, digits, hyphens and underscores: 40 at most',
  },
  entitlementName: {
    pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63}$',
    rule: `must be a letter, ${WORDS}: 64 at most`,
  },
  eventName: {
    ...{ pattern: '^[a-z][a-z0-9_]*$', minLength: 1, maxLength: 64 },
    rule: 'must be a lower-case letter, then lower-case letters, digits and underscores: 64 at most',
  },
  bucket: {
    ...{ pattern: '^(gs://)?[a-z0-9][a-z0-9._-]{1,200}[a-z0-9]/?$', maxLength: 220 },
    rule: 'must look like gs://pubsite_prod_01234567890987654321/',
  },
  packageName: {
    ...{ pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$', maxLength: 200 },
    rule: 'must look like com.example.focus',
  },
  currency: {
    pattern: '^[A-Za-z]{3}$',
    rule: 'must be three letters, such as USD',
  },
} as const satisfies Record<string, FieldRule>;

export type FieldName = keyof typeof FIELD_RULES;
