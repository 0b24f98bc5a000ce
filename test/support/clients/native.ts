import { createNativeClient } from '../../../clients/web/src/native.ts';
import type { AsyncStorageLike, NativeClient } from '../../../clients/web/src/native-types.ts';
import type { Options } from '../../../clients/web/src/types.ts';
import { MemoryStorage, type World } from './world.ts';

/** An `AsyncStorage` over what the world keeps. */
function asyncStorage(world: World): AsyncStorageLike {
  const area = (): MemoryStorage => {
    if (world.storage instanceof MemoryStorage) return world.storage;
    throw new Error('The storage cannot be opened.');
  };
  return {
    getAllKeys: async () => [...area().items.keys()],
    getItem: async (name) => area().getItem(name),
    setItem: async (name, value) => area().setItem(name, value),
    removeItem: async (name) => area().removeItem(name),
  };
}

/** The client of React Native in a world of its own. */
export function nativeClient(world: World, options: Options): NativeClient {
  const engine = world.host();
  return createNativeClient(engine, {
    ...options,
    newId: engine.id,
    storage: asyncStorage(world),
    appState: {
      addEventListener: (_, hear) => {
        const remove = engine.listen((moment) => hear(moment === 'show' ? 'active' : 'background'));
        return { remove };
      },
    },
  });
}
