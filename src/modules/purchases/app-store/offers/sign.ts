import { randomUUID } from 'node:crypto';
import type { AppContext, Deps, DeviceContext, SystemContext } from '../../../../context.ts';
import type { PurchaseKey } from '../../../../providers/store-server/port.ts';
import { toAccountToken } from '../../../../shared/account-token.ts';
import type { AppScope } from '../../../../shared/app.ts';
import { signNonceOffer, signOfferJws } from '../../../../shared/app-store-offer.ts';
import { AppError, invalidInput, notFound } from '../../../../shared/errors.ts';
import { idsIn, mayUse } from '../../entitlement/get-entitlement.ts';
import { selectHeldChains } from '../../entitlement/held-chains-queries.ts';
import type { ChainKey } from '../../model/chain.ts';
import { namedChain } from '../../model/wire.ts';
import { selectAskableApp } from '../connection/queries.ts';
import { openKeyToUse } from '../connection/purchase-key.ts';
import { openForApp } from '../verify.ts';
import { type Bought, refuseIntroductory, refusePromotional, toBought } from './eligibility.ts';
import type { OfferSignature, SignOfferForInput, SignOfferInput } from './model.ts';
import { selectBought, selectGroupOfProduct } from './queries.ts';

type Customer = {
  bought: readonly Bought[];
  transactionId: string | null;
  appAccountToken: string | null;
};

type Offer = Pick<SignOfferForInput, 'kind' | 'productId' | 'offerId' | 'allowIntroductoryOffer'>;
type SignedKind = OfferSignature['kind'];

function checkForm({ kind, offerId }: Offer): SignedKind {
  if (kind === 'win_back') {
    throw invalidInput(
      'kind',
      'a win-back offer takes no signature of a server: the app offers what eligibleWinBackOfferIds names',
    );
  }
  const isPromotional = kind !== 'introductory';
  if (isPromotional && offerId === undefined) {
    throw invalidInput('offerId', 'must be the identifier of the promotional offer');
  }
  if (!isPromotional && offerId !== undefined) {
    throw invalidInput('offerId', 'goes with a promotional offer only');
  }
  return kind;
}

async function checkEligible(
  { deps, orgId, appId }: AppScope & Pick<SystemContext<'sql'>, 'deps'>,
  { kind, productId, allowIntroductoryOffer }: Offer,
  bought: readonly Bought[],
): Promise<void> {
  if (kind === 'introductory' && allowIntroductoryOffer === false) return;
  const group = await selectGroupOfProduct(deps.sql, { orgId, appId }, productId);
  const refuse = kind === 'introductory' ? refuseIntroductory : refusePromotional;
  const refusal = refuse(group, bought);
  if (refusal !== null) throw new AppError('permission_denied', refusal);
}

async function signWith(
  { clock }: Pick<Deps, 'clock'>,
  key: PurchaseKey,
  offer: Offer & { kind: SignedKind },
  { appAccountToken, transactionId }: Customer,
): Promise<OfferSignature> {
  const { kind, productId, offerId = '' } = offer;
  const now = clock();
  const nonce = randomUUID();
  const timestamp = now.getTime();
  const signed = {
    ...{ kind, productId, offerId: offer.offerId ?? null, keyId: key.keyId, nonce, timestamp },
    ...{ appAccountToken, signature: null, jws: null },
  };
  if (kind === 'promotional') {
    const asked = { productId, offerId, appAccountToken: appAccountToken ?? '', nonce, timestamp };
    return { ...signed, signature: signNonceOffer(key, asked) };
  }
  if (kind === 'promotional_jws') {
    const named = transactionId === null ? {} : { transactionId };
    const claims = { aud: 'promotional-offer', productId, offerIdentifier: offerId } as const;
    return { ...signed, jws: await signOfferJws(key, { ...claims, ...named }, { nonce, now }) };
  }
  if (transactionId === null) {
    throw new AppError('permission_denied', 'No transaction of this customer is known.', {
      hint: 'An introductory offer is signed for a transaction of the customer: name originalTransactionId.',
    });
  }
  const allowIntroductoryOffer = offer.allowIntroductoryOffer ?? true;
  const claims = { productId, allowIntroductoryOffer, transactionId };
  const aud = 'introductory-offer-eligibility' as const;
  return { ...signed, jws: await signOfferJws(key, { aud, ...claims }, { nonce, now }) };
}

/** Throws `permission_denied` where the customer may not have the offer. */
export async function signOffer(
  ctx: DeviceContext<'clock' | 'rateLimits' | 'secrets' | 'signatures' | 'sql'>,
  input: SignOfferInput & { address: string },
): Promise<OfferSignature> {
  const { deps, orgId, appId } = ctx;
  const kind = checkForm(input);
  const { signed, profile } = await openForApp(ctx, input);
  const { environment, chainId, transactionId, appAccountToken, bundleId } = signed.snapshot;
  const ids = { userId: null, anonymousId: null, appAccountToken, chainId };
  if (!mayUse(environment, profile.settings, ids)) {
    throw new AppError('permission_denied', 'Sandbox purchases count for nobody here.', {
      hint: 'sandboxAccess of the purchase settings says whose do.',
    });
  }
  const token = toAccountToken(input.appAccountToken) ?? appAccountToken;
  if (appAccountToken !== null && token !== appAccountToken) {
    throw new AppError('permission_denied', 'The transaction is of another account token.');
  }
  await deps.rateLimits.take('offersOfPerson', `${appId} ${appAccountToken ?? chainId}`);
  const held = await selectHeldChains(deps.sql, { orgId, appId }, ids);
  const chains = held
    .filter((chain) => chain.environment === environment)
    .map(({ digest }) => ({ environment, chainId: digest.chainId }));
  const bought = [toBought(signed), ...(await selectBought(deps.sql, { orgId, appId }, chains))];
  await checkEligible({ deps, orgId, appId }, input, bought);
  const key = await openKeyToUse(ctx, bundleId);
  const customer = { bought, transactionId, appAccountToken: token };
  return signWith(deps, key, { ...input, kind }, customer);
}

type Named = Pick<ChainKey, 'environment' | 'chainId'>;

async function readCustomer(
  { deps, scope }: AppContext<'sql'>,
  input: SignOfferForInput,
): Promise<Customer> {
  const ids = idsIn(input, 'body');
  const held = await selectHeldChains(deps.sql, scope, ids);
  const named: Named[] = held.map(({ environment, digest }) => ({
    ...{ environment, chainId: digest.chainId },
  }));
  const bought = await selectBought(deps.sql, scope, named);
  const transactionId = bought[0]?.transactionId ?? null;
  return { bought, transactionId, appAccountToken: ids.appAccountToken };
}

export async function signOfferFor(
  ctx: AppContext<'clock' | 'rateLimits' | 'secrets' | 'sql'>,
  input: SignOfferForInput,
): Promise<OfferSignature> {
  const { deps, orgId, app } = ctx;
  const kind = checkForm(input);
  const customer = await readCustomer(ctx, input);
  const who = input.userId ?? input.appAccountToken ?? namedChain(input) ?? input.anonymousId;
  await deps.rateLimits.take('offersOfPerson', `${app.id} ${who}`);
  await checkEligible({ deps, orgId, appId: app.id }, input, customer.bought);
  const known = await selectAskableApp(deps.sql, orgId, app.id);
  if (!known) throw notFound();
  const key = await openKeyToUse(ctx, known.bundleId);
  return signWith(deps, key, { ...input, kind }, customer);
}
