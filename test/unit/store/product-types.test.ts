import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { KINDS, productType } from '../../../src/modules/sales/analytics/product-types.ts';

describe('product types', () => {
  test.each([
    ...['1', '1F', '1T', '1E', '1EP', '1EU', '1-B', 'F1', 'F1-B'].map((id) => [id, 'downloads']),
    ...['3', '3F', '3T', '5'].map((id) => [id, 'redownloads']),
    ...['7', '7F', '7T', 'F7'].map((id) => [id, 'updates']),
    ...['IA1', 'IA1-M', 'FI1', 'IA9', 'IA9-M'].map((id) => [id, 'iapUnits']),
    ...['IAY', 'IAY-M', 'IAC', 'IAC-M'].map((id) => [id, 'subscriptionUnits']),
    ['IA3', 'otherUnits'],
  ])('%s counts towards %s', (id, metric) => {
    const found = productType(String(id));
    expect(found.metric).toBe(metric as typeof found.metric);
    expect(found.known).toBe(true);
  });

  test.each([
    ['1X', 'app', 'downloads'],
    ['F3', 'app', 'redownloads'],
    ['7E', 'app', 'updates'],
    ['IAY-X', 'subscription', 'subscriptionUnits'],
    ['IA7', 'iap', 'iapUnits'],
    ['FI2', 'iap', 'iapUnits'],
    ['ZZ9', 'other', 'otherUnits'],
    ['', 'other', 'otherUnits'],
  ])('the new identifier %p falls into its family', (id, kind, metric) => {
    const found = productType(id);
    expect({ kind: found.kind, metric: found.metric, known: found.known }).toEqual({
      kind: kind as typeof found.kind,
      metric: metric as typeof found.metric,
      known: false,
    });
  });

  test('any identifier has a kind and a label', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant('constructor')), (id) => {
        const found = productType(id);
        expect(KINDS).toContain(found.kind);
        expect(found.label.length).toBeGreaterThan(0);
      }),
    );
  });
});
