import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../../src/providers/egress/address.ts';

describe('an address', () => {
  test('on the public internet is public', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '93.184.216.34',
      '172.15.0.1',
      '2606:4700::1111',
    ]) {
      expect(isPublicAddress(address)).toBe(true);
    }
  });

  test.each([
    ['9.255.255.255', '10.0.0.0'],
    ['11.0.0.0', '10.255.255.255'],
    ['100.63.255.255', '100.64.0.0'],
    ['100.128.0.0', '100.127.255.255'],
    ['126.255.255.255', '127.0.0.0'],
    ['169.253.255.255', '169.254.0.0'],
    ['169.255.0.0', '169.254.255.255'],
    ['172.15.255.255', '172.16.0.0'],
    ['172.32.0.0', '172.31.255.255'],
    ['192.167.255.255', '192.168.0.0'],
    ['192.169.0.0', '192.168.255.255'],
    ['198.17.255.255', '198.18.0.0'],
    ['198.20.0.0', '198.19.255.255'],
    ['223.255.255.255', '224.0.0.0'],
    ['1.0.0.0', '0.255.255.255'],
    ['191.255.255.255', '192.0.0.0'],
    ['192.0.1.0', '192.0.0.255'],
    ['192.0.1.255', '192.0.2.0'],
    ['192.0.3.0', '192.0.2.255'],
    ['192.88.98.255', '192.88.99.0'],
    ['192.88.100.0', '192.88.99.255'],
    ['198.51.99.255', '198.51.100.0'],
    ['198.51.101.0', '198.51.100.255'],
    ['203.0.112.255', '203.0.113.0'],
    ['203.0.114.0', '203.0.113.255'],
    ['2000::1', '1fff:ffff::1'],
    ['3000::1', '4000::1'],
    ['2001:200::1', '2001:1ff::1'],
    ['2001:db7:ffff::1', '2001:db8::1'],
    ['2001:db9::1', '2001:db8:ffff::1'],
    ['2001:ffff::1', '2002::1'],
    ['2003::1', '2002:ffff::1'],
    ['3ffe:ffff::1', '3fff::1'],
    ['3fff:1000::1', '3fff:fff::1'],
  ])('%s is public, its neighbour %s is not', (outside, inside) => {
    expect([isPublicAddress(outside), isPublicAddress(inside)]).toEqual([true, false]);
  });

  test('of any other network is not', () => {
    const inside = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      '2001::1',
      '100::1',
    ];
    for (const address of inside)
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test('of IPv4 in an IPv6 form is not, private or public', () => {
    for (const address of ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1']) {
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }
  });

  test('with a scope is not, public as the rest of it may be', () => {
    for (const address of ['2606:4700::1111%eth0', '2606:4700::1111%1', '2001:4860:4860::8888%']) {
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }
  });

  test('that is none is not', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(`${text}x`)));
  });
});
