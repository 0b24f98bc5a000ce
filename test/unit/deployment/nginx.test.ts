import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_BODY_BYTES } from '../../../src/http/body.ts';
import { ROOT } from '../../support/sources.ts';

const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
const written = /```nginx\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const settingOf = (name: string) => new RegExp(`^\\s*${name} (.*);$`, 'm').exec(written)?.[1];

test('the proxy of the documents hands on the host, waits for every answer and leaves bodies to the service', () => {
  expect(written).toContain('proxy_set_header Host $http_host;');
  expect(written).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
  // Longer than any answer takes.
  expect(Number.parseInt(settingOf('proxy_read_timeout') ?? '', 10)).toBeGreaterThan(28);
  expect(settingOf('client_max_body_size')).toBe('1m');
  expect(MAX_BODY_BYTES).toBeLessThan(1024 * 1024);
});

const [nginx, openssl] = [Bun.which('nginx'), Bun.which('openssl')];
const isThere = nginx !== null && openssl !== null;
if (!isThere) console.log('not run: nginx on the file of docs/deployment.md (no nginx or openssl)');

describe.skipIf(!isThere)('nginx itself', () => {
  test('takes the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
    const [key, pem, conf] = ['a.key', 'a.pem', 'nginx.conf'].map((name) => join(folder, name));
    const subject = ['-subj', '/CN=app.example.com', '-days', '1', '-nodes'];
    const made = ['-newkey', 'rsa:2048', '-keyout', key ?? '', '-out', pem ?? ''];
    expect(Bun.spawnSync([openssl ?? '', 'req', '-x509', ...made, ...subject]).exitCode).toBe(0);
    const file = written
      .replace('listen 443', 'listen 127.0.0.1:18443')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${pem};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join(' ');
    const wrapped = `pid ${join(folder, 'pid')}; events {} http { access_log off; ${paths} ${file} }`;
    writeFileSync(conf ?? '', wrapped);
    const ran = Bun.spawnSync([nginx ?? '', '-t', '-e', 'stderr', '-p', folder, '-c', conf ?? '']);
    const said = ran.stderr.toString();
    expect({ code: ran.exitCode, said }).toEqual({
      code: 0,
      said: expect.stringContaining('syntax is ok'),
    });
  });
});
