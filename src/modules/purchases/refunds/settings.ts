import type { AppContext } from '../../../context.ts';
import { refuseErased } from '../../../event-store/people.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { lockApp } from '../../../storage/rows-of-app.ts';
import * as refunds from '../model/refunds.ts';
import * as queries from './settings-queries.ts';

export async function getRefundAnswers({
  deps,
  scope,
}: AppContext<'sql'>): Promise<refunds.RefundAnswers> {
  const settings = await queries.selectRefundSettings(deps.sql, scope);
  return { ...settings, people: [...(await queries.selectRefundPeople(deps.sql, scope))] };
}

function checkRules(products: readonly refunds.RefundProduct[]): void {
  const seen = new Set<string>();
  for (const [index, { productId, used, eventName, uses }] of products.entries()) {
    const place = `products[${index}]`;
    if (seen.has(productId)) throw invalidInput(`${place}.productId`, 'has one rule only');
    seen.add(productId);
    if (used === 'events' && (eventName === undefined || uses === undefined)) {
      throw invalidInput(place, 'events need eventName and uses');
    }
    if (used !== 'events' && (eventName !== undefined || uses !== undefined)) {
      throw invalidInput(place, 'eventName and uses go with events only');
    }
  }
}

export async function patchRefundAnswers(
  ctx: AppContext<'clock' | 'sql'>,
  patch: refunds.RefundAnswersPatch,
): Promise<refunds.RefundAnswers> {
  const { deps, scope } = ctx;
  if (patch.products) checkRules(patch.products);
  await deps.sql.begin(async (tx) => {
    await lockApp(tx, scope);
    const before = await queries.selectRefundSettings(tx, scope);
    const now = deps.clock();
    await queries.saveRefundSettings(tx, scope, { ...before, ...patch }, now);
    await queries.reopenRefundRequests(tx, scope, now);
  });
  return getRefundAnswers(ctx);
}

/** Without either field the person is answered as everybody. */
export async function setRefundPerson(
  ctx: AppContext<'clock' | 'sql'>,
  { userId, answers = null, customersConsent = null }: refunds.RefundPersonInput,
): Promise<refunds.RefundAnswers> {
  const { deps, scope } = ctx;
  await deps.sql.begin(async (tx) => {
    await lockApp(tx, scope);
    const now = deps.clock();
    if (answers === null && customersConsent === null) {
      await queries.deleteRefundPerson(tx, scope, userId);
    } else {
      await refuseErased(tx, scope, [userId]);
      const known = await queries.selectRefundPeople(tx, scope);
      if (known.length >= refunds.MAX_PEOPLE && !known.some((one) => one.userId === userId)) {
        throw new AppError('conflict', `${refunds.MAX_PEOPLE} people are the most there can be.`);
      }
      await queries.upsertRefundPerson(tx, scope, { userId, answers, customersConsent }, now);
    }
    await queries.reopenRefundRequests(tx, scope, now);
  });
  return getRefundAnswers(ctx);
}
