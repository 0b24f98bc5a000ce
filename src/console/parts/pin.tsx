import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { type RequestError, toRequestError } from '../state/api.ts';
import { PINNED_VIEWS_MAX, type PinnedView, pinning, usePins } from '../state/pins.ts';
import { mayManage } from '../state/session.ts';
import { pins as t } from '../texts/pins.ts';
import { texts } from '../texts/index.ts';
import { Field, Form } from './form.tsx';
import * as icons from './icons.ts';
import { Popover } from './popover.tsx';
import { ErrorNotice } from './states.tsx';

const NAME_MAX = 60;

function Unpin({ onRemove }: { onRemove: () => Promise<unknown> }) {
  const error = useSignal<RequestError | undefined>(undefined);
  const remove = async () => {
    error.value = undefined;
    try {
      await onRemove();
    } catch (caught) {
      error.value = toRequestError(caught);
    }
  };
  return (
    <>
      <p>{t.saved}</p>
      {error.value && <ErrorNotice error={error.value} />}
      <button type="button" class="plain" onClick={() => void remove()}>
        {t.unpin}
      </button>
    </>
  );
}

export function Pin(props: { appId: string; page: PinnedView['page']; title: string }) {
  const { appId, page, title } = props;
  const { url } = useLocation();
  const { pins, save } = usePins(appId);
  const query = url.split('?')[1] ?? '';
  const made = useSignal({ url: '', query: '' });
  const isThis = (pin: PinnedView) =>
    made.value.url === url
      ? pin.query === made.value.query
      : pin.page === page && pin.query === query;
  const others = (pins ?? []).filter((pin) => !isThis(pin));
  const isPinned = pins !== undefined && others.length < pins.length;
  const isFull = !isPinned && others.length >= PINNED_VIEWS_MAX;
  const why = mayManage.value ? isFull && t.full(PINNED_VIEWS_MAX) : texts.errors.managersOnly;
  return (
    <Popover
      label={t.pin}
      class="save-view"
      placement="bottom-end"
      button={(trigger) => (
        <button
          {...trigger}
          class={isPinned ? 'plain on' : 'plain'}
          disabled={!pins || Boolean(why)}
          title={why || undefined}
        >
          <icons.pin />
          {isPinned ? t.pinned : t.pin}
        </button>
      )}
    >
      {(close) =>
        isPinned ? (
          <Unpin
            onRemove={async () => {
              await save(others);
              close();
            }}
          />
        ) : (
          <Form
            button={t.save}
            onSubmit={async (fields) => {
              const view = { title: fields.get('title').trim(), page, query };
              const pin = await pinning.pinOf(appId, view);
              await save([...others, pin]);
              made.value = { url, query: pin.query };
              close();
            }}
          >
            <Field
              label={t.name}
              name="title"
              value={title.slice(0, NAME_MAX)}
              maxLength={NAME_MAX}
              hint={t.hint}
              autocomplete="off"
            />
          </Form>
        )
      }
    </Popover>
  );
}
