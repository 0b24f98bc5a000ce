export type AppOfIcon = { id: string; displayName: string };

const TILES = 8;

/** The same for an app on every page. */
function tileOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 16) % TILES;
}

/** Its icon in the store would be a request to another origin. */
export function AppIcon(props: { app: AppOfIcon; size?: 'small' | 'normal' | 'large' }) {
  const { app, size = 'normal' } = props;
  const [letter = ''] = app.displayName.trim();
  return (
    <span class={`app-icon ${size} tile-${tileOf(app.id)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
