import { describe, expect, test } from 'bun:test';
import {
  addressGroup,
  addressSite,
  clientAddress,
  parseAddress,
} from '../../../src/shared/client-address.ts';

describe('an address', () => {
  test.each([
    ['203.0.113.10', '203.0.113.10'],
    ['203.0.113.10:4000', '203.0.113.10'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.10', '203.0.113.10'],
    ['::ffff:cb00:710c', '203.0.113.12'],
    ['0:0:0:0:0:FFFF:CB00:710C', '203.0.113.12'],
    ['::ffff:0:0', '0.0.0.0'],
    ['::1:ffff:cb00:710c', '::1:ffff:cb00:710c'],
    ['127.evil', null],
    ['unknown', null],
    ['203.0.113.10, 1.1.1.1', null],
    ['', null],
  ])('%j is read as %j', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  test.each([
    ['203.0.113.10', '203.0.113.10'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
    ['::3:4:5:6:192.0.2.33', '0:0:3:4::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ])('%j is counted as %j', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  test.each([
    ['203.0.113.10', null],
    ['2001:db8:0:1::5', '2001:db8:0::/48'],
    ['2001:db8:0:ffff::5', '2001:db8:0::/48'],
    ['2001:db8:1::5', '2001:db8:1::/48'],
  ])('%j belongs to the site %j', (address, site) => {
    expect(addressSite(address)).toBe(site);
  });

  test('of the caller is what the trusted proxy wrote, if it is one', () => {
    const from = (forwarded: string, proxies: number) =>
      clientAddress(new Headers({ 'x-forwarded-for': forwarded }), '10.0.0.1', proxies);
    expect(from('1.1.1.1, 2.2.2.2', 0)).toBe('10.0.0.1');
    expect(from('1.1.1.1, 2.2.2.2:99', 1)).toBe('2.2.2.2');
    expect(from('1.1.1.1, 2.2.2.2', 2)).toBe('1.1.1.1');
    expect(from('1.1.1.1, 127.evil', 1)).toBe('10.0.0.1');
    expect(from('', 1)).toBe('10.0.0.1');
  });
});
