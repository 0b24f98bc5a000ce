import { useSignal } from '@preact/signals';
import { texts } from '../texts/index.ts';

/** Without permission (plain http) it selects the text. */
export function Copy({ text, label = texts.copy }: { text: string; label?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, 2_000);
    } catch {
      window.prompt(texts.copyByHand, text);
    }
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {isCopied.value ? texts.copied : label}
    </button>
  );
}
