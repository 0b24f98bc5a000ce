import { Copy } from './copy.tsx';

/** A secret or link that stands on the screen this once, with a button that copies it. */
export function ShownOnce({ why, text }: { why: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div class="notice" role="status">
      <p>{why}</p>
      <div class="row">
        <code>{text}</code>
        <Copy text={text} />
      </div>
    </div>
  );
}
