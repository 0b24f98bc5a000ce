import { signal, useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { CONSOLE_PAGES } from '../../shared/console-pages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { openPalette } from '../state/palette.ts';
import { useLinks } from '../state/place.ts';
import { turn } from '../state/signals.ts';
import { texts } from '../texts/index.ts';

const t = texts.shortcuts;

const PAGE_BY_KEY = new Map(
  CONSOLE_PAGES.flatMap(({ key, name }) => (key === undefined ? [] : [[key, name] as const])),
);
const SECOND_KEY_WITHIN_MS = 1_500;

function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return !target.closest('input, textarea, select, dialog, [popover], [role="menu"]');
}

const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;

const isHelpOpen = signal(false);

export function shortcutsHelp(): void {
  isHelpOpen.value = true;
}

function Key({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}

export function Shortcuts() {
  const { route } = useLocation();
  const linkTo = useLinks();
  const afterG = useSignal(0);
  useEffect(() => {
    /** False for what is no shortcut. */
    const act = (event: KeyboardEvent): boolean => {
      const isSecond = performance.now() - afterG.value < SECOND_KEY_WITHIN_MS;
      afterG.value = 0;
      const page = isSecond ? PAGE_BY_KEY.get(event.key) : undefined;
      const href = page && linkTo(page);
      if (href) route(href);
      else if (event.key === 'g') afterG.value = performance.now();
      else if (event.key === '?') shortcutsHelp();
      else if (event.key === '/') openPalette('people');
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) openPalette();
      else if (!isForPage(event) || !act(event)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return (
    <Dialog title={t.title} isOpen={isHelpOpen.value} onClose={turn(isHelpOpen, false)}>
      <dl class="shortcuts">
        <Key keys={[t.paletteKeys]} text={t.palette} />
        <Key keys={['/']} text={t.search} />
        {[...PAGE_BY_KEY].map(([letter, name]) => (
          <Key key={letter} keys={['g', letter]} text={texts.nav[name]} />
        ))}
      </dl>
    </Dialog>
  );
}
