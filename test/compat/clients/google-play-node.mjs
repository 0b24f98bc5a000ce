/** Requests of Google's own client for each method in use, as JSON. */
import { generateKeyPairSync } from 'node:crypto';
import { androidpublisher } from '@googleapis/androidpublisher';
import { GoogleAuth } from 'google-auth-library';
import packages from '../package.json' with { type: 'json' };

const packageName = 'com.example.focus';
/** With every character that one encoding or another leaves alone. */
const token = "tok-e_n.1~!*'()/:+ %&?#=@ü";
const orderId = 'GPA.3311-2244-5566-77889..0';
const VERSIONS = ['@googleapis/androidpublisher', 'google-auth-library'];
const OF_THE_CLIENT = ['user-agent', 'x-goog-api-client', 'accept-encoding'];

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const sent = [];
const fetchImplementation = async (url, { method, headers, body }) => {
  const kept = [...new Headers(headers)].filter(([name]) => !OF_THE_CLIENT.includes(name));
  sent.push({
    method,
    url: String(url),
    headers: Object.fromEntries(kept),
    body: body ? String(body) : null,
  });
  const isGrant = String(url).endsWith('/token');
  return Response.json(
    isGrant ? { access_token: 'ya29.recorded', expires_in: 3_599, token_type: 'Bearer' } : {},
  );
};
const auth = new GoogleAuth({
  credentials: {
    type: 'service_account',
    client_email: 'reader@example.iam.gserviceaccount.com',
    private_key_id: 'a1b2',
    private_key: privateKey,
  },
  scopes: ['https://www.googleapis.com/auth/androidpublisher'],
  clientOptions: { transporterOptions: { fetchImplementation } },
});
const { orders, purchases } = androidpublisher({ version: 'v3', auth });
const { products, productsv2, subscriptions, subscriptionsv2, voidedpurchases } = purchases;
const ofToken = { packageName, token };

const calls = {
  subscription: () => subscriptionsv2.get(ofToken),
  product: () => productsv2.getproductpurchasev2(ofToken),
  order: () => orders.get({ packageName, orderId }),
  voided: () =>
    voidedpurchases.list({ packageName, type: 1, maxResults: 1_000, startTime: '1764072000000' }),
  voidedPage: () => voidedpurchases.list({ packageName, type: 1, maxResults: 1_000, token }),
  acknowledgeSubscription: () =>
    subscriptions.acknowledge({ ...ofToken, subscriptionId: 'pro', requestBody: {} }),
  acknowledgeProduct: () =>
    products.acknowledge({ ...ofToken, productId: 'coins', requestBody: {} }),
};
const recorded = {};
for (const [name, call] of Object.entries(calls)) {
  await call();
  recorded[name] = sent.at(-1);
}

const [{ body, ...grant }] = sent;
const { assertion, ...form } = Object.fromEntries(new URLSearchParams(body));
const [header, claims] = assertion
  .split('.')
  .slice(0, 2)
  .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
const { iat, exp, ...said } = claims;
const versions = VERSIONS.map((name) => [name, packages.dependencies[name]]);
process.stdout.write(
  JSON.stringify({
    versions: Object.fromEntries(versions),
    asked: { packageName, token, orderId },
    grant: { ...grant, form, header, claims: said, lifetimeSeconds: exp - iat },
    calls: recorded,
  }),
);
