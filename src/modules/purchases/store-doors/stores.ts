import type { Store } from '../../../shared/stores.ts';
import { appStore } from '../app-store/door.ts';
import type { OpenStore, StoreContext, StoreDoor } from '../model/store.ts';
import { googlePlay } from '../play-store/door.ts';

const DOORS: Readonly<Record<Store, StoreDoor>> = {
  app_store: appStore,
  google_play: googlePlay,
};

export const storeDoor = (store: Store): StoreDoor => DOORS[store];

export const isOrderId = (text: string): boolean =>
  Object.values(DOORS).some((door) => door.isOrderId(text));

/** Stores with a key that have the app. */
export async function openStores(ctx: StoreContext, appId: string): Promise<OpenStore[]> {
  const opened = await Promise.all(Object.values(DOORS).map((door) => door.open(ctx, appId)));
  return opened.filter((store) => store !== null);
}
