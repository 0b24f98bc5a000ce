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
