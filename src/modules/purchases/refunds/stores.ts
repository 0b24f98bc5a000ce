import type { Store } from '../../../shared/purchase.ts';
import { appStoreRefunds } from '../app-store/refund-store.ts';
import type { RefundStore } from '../model/refund-store.ts';
import { googlePlayRefunds } from '../play-store/refund-store.ts';

export const REFUND_STORES: Readonly<Record<Store, RefundStore>> = {
  app_store: appStoreRefunds,
  google_play: googlePlayRefunds,
};
