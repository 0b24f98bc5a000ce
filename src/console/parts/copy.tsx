import { useSignal } from '@preact/signals';

/** Copies `text`; without permission to (plain http) it selects the text beside it instead. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, 2_000);
    } catch {
      window.prompt('Copy with your keyboard:', text);
    }
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {isCopied.value ? 'Copied' : label}
    </button>
  );
}
