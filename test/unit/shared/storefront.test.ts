import { expect, test } from 'bun:test';
import { countryOfStorefront } from '../../../src/shared/storefront.ts';

test('storefronts are countries in two letters, and null when they are not known', () => {
  const said = ['USA', 'DEU', 'JPN', 'GBR', 'XXX', '', null].map(countryOfStorefront);
  expect(said).toEqual(['US', 'DE', 'JP', 'GB', null, null, null]);
});
