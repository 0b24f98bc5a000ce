import { useSignal } from '@preact/signals';
import type { SavedQuestion } from '../../../../clients/api/src/index.ts';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Menu } from '../../parts/menu.tsx';
import { ErrorNotice } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { askWords } from '../../state/ask-words.ts';
import { askOf, DOORS } from '../../state/ask.ts';
import { mapped } from '../../state/mapped.ts';
import { pinsAfter, savedIn } from '../../state/pinned-views.ts';
import { PINNED_VIEWS_MAX, usePins } from '../../state/pins.ts';
import { mayManage, whyNotEdit, whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { pins as pinsTexts } from '../../texts/pins.ts';
import { questions as t } from '../../texts/questions.ts';
import { pinOf } from './kept-question.ts';
import type { QuestionSettings } from './settings.ts';

type ActsProps = {
  one: SavedQuestion;
  settings: QuestionSettings;
  onError: (error: RequestError | undefined) => void;
};

function Acts({ one, settings, onError }: ActsProps) {
  const { appId, opened, change } = settings;
  const { pins = [], save } = usePins(appId);
  const isPinned = pins.some((pin) => savedIn(pin) === one.id);
  const pin = (toBePinned: boolean) =>
    save((now) => pinsAfter(now, pinOf({ door: settings.door, query: {} }, one), toBePinned));
  const tried = async (act: () => Promise<unknown>) => {
    onError(undefined);
    try {
      await act();
    } catch (caught) {
      onError(toRequestError(caught));
    }
  };
  const remove = async () => {
    await api.deleteQuestion({ id: appId, questionId: one.id });
    if (opened?.id === one.id) change({ saved: undefined });
    if (isPinned && mayManage.value) await pin(false);
  };
  const isFull = !isPinned && pins.length >= PINNED_VIEWS_MAX;
  const why = isFull ? pinsTexts.full(PINNED_VIEWS_MAX) : undefined;
  return (
    <Menu
      label={t.acts(one.name)}
      placement="bottom-end"
      button={{ class: 'ghost compact icon-only', name: t.acts(one.name), icon: icons.more }}
      items={[
        {
          key: 'pin',
          label: isPinned ? t.unpin : t.pin,
          icon: icons.pin,
          disabledWhy: whyNotManage.value || why,
          onSelect: () => void tried(() => pin(!isPinned)),
        },
        {
          key: 'remove',
          label: t.remove,
          icon: icons.remove,
          isDanger: true,
          disabledWhy: whyNotEdit.value,
          onSelect: () => void tried(remove),
        },
      ]}
    />
  );
}

export function SavedList({ settings }: { settings: QuestionSettings }) {
  const { appId, saved, opened, door } = settings;
  const error = useSignal<RequestError | undefined>(undefined);
  const all = (saved.value.data ?? []).filter(
    ({ question }) => DOORS[askOf(question).kind] === door,
  );
  if (all.length === 0) return null;
  const columns: Column<SavedQuestion>[] = [
    { label: t.savedName, show: ({ name }) => name, sort: true, narrow: true },
    {
      label: t.asks,
      show: ({ question }) => askWords(askOf(question)),
    },
    { label: t.changed, at: ({ updatedAt }) => updatedAt, isAgo: true, sort: true },
    {
      label: t.act,
      isAct: true,
      show: (one) => <Acts {...{ one, settings }} onError={into(error)} />,
      narrow: true,
    },
  ];
  return (
    <ListCard
      title={t.saved}
      query={mapped(saved, () => all)}
      above={error.value && <ErrorNotice error={error.value} />}
      keyOf={({ id }) => id}
      rowHref={({ id }) => `/apps/${appId}/${door}?${new URLSearchParams({ saved: id })}`}
      isChosen={({ id }) => id === opened?.id}
      columns={columns}
    />
  );
}
