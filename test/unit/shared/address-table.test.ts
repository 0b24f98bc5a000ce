import { describe, expect, test } from 'bun:test';
import { openAddressTable } from '../../../src/shared/address-table.ts';
import { addressTable, prefixOf } from '../../support/address-table.ts';

const of = (code: string) => ({ country: { geoname_id: 2_921_044, iso_code: code } });
const DOCUMENTATION_IPV6 = '0010000000000001' + '0000110110111000';

describe.each([24, 28, 32])('a table with records of %i bits', (recordSize) => {
  const countryOf = openAddressTable(
    addressTable(
      [
        [prefixOf('192.0.2.0', 24), of('DE')],
        [prefixOf('198.51.100.0', 25), { country_code: 'FR' }],
        [prefixOf('203.0.113.0', 24), { country: 'US' }],
        [prefixOf('9.0.0.0', 8), { country: { iso_code: 'unknown' } }],
        [DOCUMENTATION_IPV6, of('JP')],
      ],
      { recordSize },
    ),
  );

  test.each([
    ['192.0.2.7', 'DE'],
    ['192.0.3.7', null],
    ['198.51.100.127', 'FR'],
    ['198.51.100.128', null],
    ['203.0.113.255', 'US'],
    ['9.1.2.3', null],
    ['2001:db8:1::1', 'JP'],
    ['2001:db9::1', null],
    ['127.0.0.1', null],
    ['unknown', null],
    ['', null],
  ])('says of %s %p', (address, country) => {
    expect(countryOf(address)).toBe(country);
  });
});

test('a table of IPv4 alone knows no IPv6', () => {
  const table = addressTable([['11000000', of('DE')]], { ipVersion: 4 });
  expect(openAddressTable(table)('192.0.2.1')).toBe('DE');
  expect(openAddressTable(table)('c000::1')).toBeNull();
});

describe('what is no table is refused', () => {
  const whole = addressTable([[prefixOf('192.0.2.0', 24), of('DE')]]);
  test.each<[string, Uint8Array, string]>([
    ['an empty file', new Uint8Array(), 'it is no MaxMind DB file (.mmdb)'],
    ['text', Buffer.from('network,country\n192.0.2.0/24,DE\n'), 'it is no MaxMind DB file'],
    ['one without its tree', whole.subarray(whole.length - 140), 'it ends too early'],
  ])('%s', (_, file, reason) => {
    expect(() => openAddressTable(file)).toThrow(reason);
  });

  test('a damaged entry says no country', () => {
    const damaged = Buffer.from(whole);
    const entry = damaged.indexOf('country') - 2;
    damaged.fill(0xff, entry, entry + 8);
    expect(openAddressTable(damaged)('192.0.2.7')).toBeNull();
  });
});
