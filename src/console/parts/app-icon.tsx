import { useSignal } from '@preact/signals';

export type AppOfIcon = { id: string; displayName: string; iconUrl: string | null };

const TILES = 8;

/** The same tile for the same app on every page. */
function tileOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 16) % TILES;
}

/** The app's icon in the store, or a tile with its first letter. */
export function AppIcon(props: { app: AppOfIcon; size?: 'small' | 'normal' | 'large' }) {
  const { app, size = 'normal' } = props;
  const isBroken = useSignal(false);
  if (app.iconUrl && !isBroken.value) {
    return (
      <img
        class={`app-icon ${size}`}
        src={app.iconUrl}
        alt=""
        onError={() => {
          isBroken.value = true;
        }}
      />
    );
  }
  const [letter = ''] = app.displayName.trim();
  return (
    <span class={`app-icon ${size} tile-${tileOf(app.id)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
