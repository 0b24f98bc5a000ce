import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { texts } from './texts/index.ts';

const t = texts.shortcuts;

/** The letter after "g", and where it leads; `:app` is the app of the present address. */
const PLACES = new Map([
  ['h', { path: '/', text: texts.nav.home }],
  ['s', { path: '/sales', text: texts.nav.sales }],
  ['m', { path: '/members', text: texts.nav.members }],
  ['k', { path: '/keys', text: texts.nav.keys }],
  ['i', { path: '/status', text: texts.nav.status }],
  ['t', { path: '/apps/:app/today', text: texts.nav.today }],
  ['l', { path: '/apps/:app/live', text: texts.nav.live }],
  ['n', { path: '/apps/:app/trends', text: texts.nav.trends }],
  ['r', { path: '/apps/:app/retention', text: texts.nav.retention }],
  ['f', { path: '/apps/:app/funnels', text: texts.nav.funnels }],
  ['e', { path: '/apps/:app/experiments', text: texts.nav.experiments }],
  ['u', { path: '/apps/:app/subscribers', text: texts.nav.subscribers }],
  ['p', { path: '/apps/:app/people', text: texts.nav.people }],
  ['c', { path: '/apps/:app/connect', text: texts.nav.connect }],
]);
const SECOND_KEY_WITHIN_MS = 1_500;

/** What is typed into a field, or with a modifier, is no shortcut. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return !target.closest('input, textarea, select, dialog');
}

/** Once the page is drawn, which has a search at its beginning. */
function focusSearch(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main form input')?.focus()),
  );
}

/** `g` then a letter goes to a page, `/` to the search for a person, `?` shows them all. */
export function Shortcuts() {
  const { path, route } = useLocation();
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let afterG = 0;
    const app = /^\/apps\/([^/]+)\//.exec(path)?.[1];
    const go = (place: string) => {
      if (place.includes(':app') && !app) return;
      route(place.replace(':app', app ?? ''));
    };
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const isSecond = performance.now() - afterG < SECOND_KEY_WITHIN_MS;
      afterG = 0;
      const place = isSecond ? PLACES.get(event.key) : undefined;
      if (place) go(place.path);
      else if (event.key === 'g') afterG = performance.now();
      else if (event.key === '?') help.current?.showModal();
      else if (event.key === '/') {
        go('/apps/:app/people');
        focusSearch();
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [path]);
  return (
    <dialog ref={help} aria-label={t.title}>
      <h1>{t.title}</h1>
      <dl class="shortcuts">
        {[...PLACES].map(([letter, { text }]) => (
          <div key={letter}>
            <dt>
              <kbd>g</kbd> <kbd>{letter}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>{t.search}</dd>
        </div>
      </dl>
      <button type="button" onClick={() => help.current?.close()}>
        {t.close}
      </button>
    </dialog>
  );
}
