import type { SignedTransaction } from '../../../../shared/purchase.ts';

/** Null: not told by the store. */
export type Group = string | null;

export type Bought = {
  group: Group;
  isSubscription: boolean;
  isShared: boolean;
  isIntroductory: boolean;
};

export const toBought = ({ snapshot, details }: SignedTransaction): Bought => ({
  group: details.subscriptionGroup,
  isSubscription: snapshot.type === 'subscription',
  isShared: snapshot.ownership === 'family_shared',
  isIntroductory: details.offer === 'introductory',
});

const ownSubscriptions = (bought: readonly Bought[]) =>
  bought.filter(({ isSubscription, isShared }) => isSubscription && !isShared);

/** A sentence, or null where it may be signed. */
export function refusePromotional(group: Group, bought: readonly Bought[]): string | null {
  if (group === null) {
    return 'The subscription group of this product is not known: nobody has bought the product yet.';
  }
  if (ownSubscriptions(bought).some((one) => one.group === group)) return null;
  return 'A promotional offer is for customers who have, or had, a subscription of this group.';
}

export function refuseIntroductory(group: Group, bought: readonly Bought[]): string | null {
  const had = ownSubscriptions(bought).filter(({ isIntroductory }) => isIntroductory);
  const isUsed = had.some((one) => one.group === null || group === null || one.group === group);
  return isUsed ? 'This customer had an introductory offer of this group already.' : null;
}
