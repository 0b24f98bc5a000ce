import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { type RequestError, toRequestError } from '../state/api.ts';
import { PINNED_VIEWS_MAX, type PinnedView, usePins } from '../state/pins.ts';
import { mayManage } from '../state/session.ts';
import { texts } from '../texts/index.ts';
import { pins as t } from '../texts/pins.ts';
import { ErrorNotice } from './states.tsx';

/** Keeps the view of the present address on the page Today, or takes it away again. */
export function Pin(props: { appId: string; page: PinnedView['page']; title: string }) {
  const { appId, page, title } = props;
  const { url } = useLocation();
  const { pins, save } = usePins(appId);
  const error = useSignal<RequestError | null>(null);
  if (!pins) return null;
  const query = url.split('?')[1] ?? '';
  const others = pins.filter((pin) => pin.page !== page || pin.query !== query);
  const isPinned = others.length < pins.length;
  const isFull = !isPinned && pins.length >= PINNED_VIEWS_MAX;
  const toggle = async () => {
    error.value = null;
    try {
      await save(isPinned ? others : [...pins, { title: title.slice(0, 60), page, query }]);
    } catch (caught) {
      error.value = toRequestError(caught);
    }
  };
  const why = mayManage.value ? isFull && t.full(PINNED_VIEWS_MAX) : texts.errors.managersOnly;
  return (
    <>
      <button
        type="button"
        aria-pressed={isPinned}
        disabled={Boolean(why)}
        title={why || undefined}
        onClick={() => void toggle()}
      >
        {isPinned ? t.unpin : t.pin}
      </button>
      {error.value && <ErrorNotice error={error.value} />}
    </>
  );
}
