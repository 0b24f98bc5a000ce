import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const KEY = 'c';
/** A letter after it goes to a page. */
const FIRST_OF_TWO = 'g';

const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [popover], [role="menu"]') !== null;

export function useNotes() {
  const isOpen = useSignal(false);
  useEffect(() => {
    let before = '';
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isSecond = before === FIRST_OF_TWO;
      before = key;
      if (key.toLowerCase() !== KEY || ctrlKey || metaKey || altKey) return;
      if (isSecond || event.defaultPrevented || isTyped(event)) return;
      event.preventDefault();
      isOpen.value = true;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return isOpen;
}
