import { Copy } from './copy.tsx';

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
