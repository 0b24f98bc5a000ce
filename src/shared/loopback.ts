import { isIP } from 'node:net';

const LOOPBACK_IP = /^(127\.|::1$|::ffff:127\.)/i;

/** IP addresses only: `127.evil` is a name. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && LOOPBACK_IP.test(address);
}

/** For the host of a URL or header, without port. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[|\]$/g, ''));
}
