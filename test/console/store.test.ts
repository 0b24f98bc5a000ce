import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { makeKey } from '../simulators/store/auth.ts';
import { type StoreSimulator, startStoreSimulator } from '../simulators/store/server.ts';
import { type PlaySimulator, startPlayStore } from '../simulators/play-store/server.ts';
import { createPki } from '../simulators/store-server/pki.ts';
import { type StoreServerSimulator, startStoreServer } from '../simulators/store-server/server.ts';
import { PUSH_EMAIL, SERVICE_ACCOUNT, trustServiceAccount } from '../support/play-service.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const browser = await launchChromium();
let store: StoreSimulator;
let server: StoreServerSimulator;
let play: PlaySimulator;
let owner: Owner;
const reporting = () => owner.page.getByRole('region', { name: 'Reporting key' });
const purchase = () => owner.page.getByRole('region', { name: 'Purchase key' });
const keyFile = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

beforeAll(async () => {
  if (!browser) return;
  store = await startStoreSimulator();
  server = await startStoreServer(await createPki());
  play = await startPlayStore(() => new Date());
  trustServiceAccount(play);
  owner = await startOwner(browser, {
    STORE_API_URL: store.url,
    STORE_SERVER_API_URL: server.production.url,
    STORE_SERVER_SANDBOX_API_URL: server.sandbox.url,
    PLAY_STORE_API_URL: play.url,
    GOOGLE_TOKEN_URL: `${play.url}/token`,
  });
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
  await store?.stop();
  await server?.stop();
  await play?.stop();
});

describe.skipIf(!browser)('the store', () => {
  test('has two keys, which are told apart when one is put into the box of the other', async () => {
    const { open, page } = owner;
    const { privateKey } = store.account.keys[0]!;
    await open('/store');
    await reporting()
      .getByLabel('Key file')
      .setInputFiles(keyFile('SubscriptionKey_AB12CD34EF.p8', privateKey));
    await page.getByText('it belongs under “Purchase key”').waitFor();
    await reporting().getByRole('button', { name: 'Put it there' }).click();
    await purchase().getByText('Chosen: SubscriptionKey_AB12CD34EF.p8').waitFor();
    expect(await purchase().getByLabel('Key id').inputValue()).toBe('AB12CD34EF');
    expect(await reporting().getByText('Chosen:').count()).toBe(0);

    await reporting().getByLabel('Key file').setInputFiles(keyFile('notes.p8', 'hello'));
    await reporting().getByText('This is no key file').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('says of each fault what to do about it', async () => {
    const { page } = owner;
    const [key] = store.account.keys;
    const box = reporting();
    const connect = () => box.getByRole('button', { name: 'Connect', exact: true }).click();
    await box
      .getByLabel('Key file')
      .setInputFiles(keyFile(`AuthKey_${key!.keyId}.p8`, key!.privateKey));
    await box.getByText(`Chosen: AuthKey_${key!.keyId}.p8`).waitFor();
    expect(await box.getByLabel('Key id').inputValue()).toBe(key!.keyId);
    await box.getByLabel('Issuer id').fill('80012345');
    await box.getByLabel('Vendor number').fill('80099999');
    await connect();
    await box.getByText('Issuer id: this looks like the vendor number.').waitFor();

    await box.getByLabel('Issuer id').fill(key!.issuerId);
    await connect();
    await box.getByText('The store rejected the vendor number.').waitFor();

    await box.getByLabel('Vendor number').fill(store.account.vendorNumber);
    store.account.trouble.set(key!.keyId, 'role');
    await connect();
    await box.getByText('A role cannot be added to a key').waitFor();
    store.account.trouble.set(key!.keyId, 'agreement');
    await connect();
    await box.getByText('Connect again once the agreement is signed').waitFor();
    store.account.trouble.clear();
    store.account.keys = [makeKey(key!.issuerId, key!.keyId)];
    await connect();
    await box.getByText('Compare issuer id and key id with the list of keys').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    store.account.keys = [key!];
  });

  test('is connected, and its backfill watched to the end', async () => {
    const { page, open } = owner;
    store.account.delayMs = 100;
    await reporting().getByRole('button', { name: 'Connect', exact: true }).click();
    await reporting().getByText('Connected', { exact: true }).waitFor();
    await open('/sales');
    await page.getByText(/^Collecting the year: \d+ of 36\d days$/).waitFor();
    await page.getByText(/days left, (about \d+ min|less than a minute)/).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    store.account.delayMs = undefined;
    await page
      .getByText('All that the store still has is collected.')
      .waitFor({ timeout: 180_000 });
    await page.getByText(/36[45] known/).waitFor();
    await page.getByRole('heading', { name: 'Proceeds by day' }).waitFor();
    await page.getByRole('tab', { name: 'Products' }).click();
    await page.getByRole('button', { name: 'Focus Timer Coins' }).first().click();
    await page.getByText('Only Focus Timer Coins').waitFor();
    expect(new URL(page.url()).searchParams.get('sku')).toBe('com.example.focustimer.coins');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  }, 240_000);

  test('is linked to apps, and says so when its key is refused', async () => {
    const { page, open } = owner;
    await open('/store');
    const tides = page.getByRole('row', { name: /Tide Tables/ });
    await tides.getByRole('button', { name: 'Make an app of it' }).click();
    await tides.getByRole('button', { name: /linked to: Tide Tables/ }).waitFor();
    const [key] = store.account.keys;
    store.account.trouble.set(key!.keyId, 'revoked');
    await open('/sales');
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('The store connection needs attention.').waitFor();
    await page.getByText('The store does not accept the key any more.').first().waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await open('/store');
    await reporting().getByText('The store refuses this key').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('takes its key of purchases, which is refused, replaced, and says that it works', async () => {
    const { page, open, call } = owner;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { keyId: 'AB12CD34EF', issuerId: '57246542-96fe-1a63-e053-0824d011072a' };
    const file = keyFile(
      `SubscriptionKey_${key.keyId}.p8`,
      pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    );
    for (const { bundleId } of (await call('GET', '/v1/apps')) as { bundleId: string | null }[]) {
      if (bundleId) server.addApp(bundleId);
    }
    await open('/store');
    const box = purchase();
    const connect = () => box.getByRole('button', { name: 'Connect', exact: true }).click();
    await box.getByLabel('Key file').setInputFiles(file);
    await box.getByText(`Chosen: ${file.name}`).waitFor();
    await box.getByLabel('Issuer id').fill(key.issuerId);
    await connect();
    await box.getByRole('alert').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);

    server.addKey({ ...key, publicKey: pair.publicKey });
    await connect();
    await box.getByText('Connected', { exact: true }).waitFor();
    await box.getByText(key.keyId).first().waitFor();
    expect(await page.content()).not.toContain('PRIVATE KEY');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });
  test('connects Google Play for an app, says what is missing, and shows where to push', async () => {
    const { page, open } = owner;
    await open('/store');
    const box = page.getByRole('region', { name: 'Google Play purchases' });
    const connect = () => box.getByRole('button', { name: 'Connect', exact: true }).click();
    await box.getByLabel('Package name').fill('com.example.focus');
    await connect();
    await box.getByText('Choose the JSON key file.').waitFor();
    await box
      .getByLabel('JSON key file of the service account')
      .setInputFiles(keyFile('key.json', JSON.stringify(SERVICE_ACCOUNT)));
    await box.getByText('Chosen: key.json').waitFor();
    await connect();
    await box.getByText('Compare the package name with Play Console.').waitFor();
    play.addApp('com.example.focus');
    play.setPermission(false);
    await connect();
    await box.getByText('Right after the invitation this can take up to 36 hours.').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    play.setPermission(true);
    await box.getByLabel('Account that signs notifications').fill(PUSH_EMAIL);
    await connect();
    await box.getByText('Connected', { exact: true }).waitFor();
    await box.getByText(/purchases\/play-store\/notifications\/app_/).waitFor();
    await box.getByRole('button', { name: 'Check now' }).click();
    await box.getByText('Google Play accepts the key.').waitFor();
    expect(await page.content()).not.toContain('PRIVATE KEY');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });
});
