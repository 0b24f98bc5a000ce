import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { useModule } from '../../parts/use-module.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { PINNED_VIEWS_MAX, type PinnedView, usePins } from '../../state/pins.ts';
import { useLinks } from '../../state/place.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { controls } from '../../texts/controls.ts';
import { texts } from '../../texts/index.ts';
import { pins as pinsTexts } from '../../texts/pins.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.pins;

const loadCards = () => import('./by-use.ts');
type Cards = Awaited<ReturnType<typeof loadCards>>;

const ICONS = {
  trends: icons.trends,
  funnels: icons.funnels,
  retention: icons.retention,
  questions: icons.questions,
};

const isSame = (one: PinnedView, other: PinnedView): boolean =>
  one.page === other.page && one.query === other.query;

function PinnedCard(props: {
  appId: string;
  pin: PinnedView;
  today: string;
  cards: Cards | undefined;
  onRemove: () => void;
}) {
  const { appId, pin, today, cards, onRemove } = props;
  const { page, query, title } = pin;
  return (
    <Card
      title={title}
      href={`/apps/${appId}/${page}${query && `?${query}`}`}
      actions={
        <Menu
          label={t.acts(title)}
          placement="bottom-end"
          button={{ class: 'ghost compact icon-only', name: t.acts(title), icon: icons.more }}
          items={[
            {
              key: 'remove',
              label: t.unpin,
              icon: icons.remove,
              onSelect: onRemove,
              disabledWhy: whyNotManage.value,
            },
          ]}
        />
      }
    >
      {cards ? (
        <cards.PinnedQuestion {...{ appId, pin, today }} />
      ) : (
        <div class="skeleton pinned-skeleton" aria-busy="true" />
      )}
    </Card>
  );
}

export function Pinned({ appId, today }: { appId: string; today: string }) {
  const { pins = [], save } = usePins(appId);
  const { module, isMissing } = useModule(loadCards, pins.length > 0);
  if (pins.length === 0) return null;
  if (isMissing) return <p class="notice">{controls.notLoaded}</p>;
  return (
    <div class="grid three stretch">
      {pins.map((pin) => (
        <PinnedCard
          key={`${pin.page}?${pin.query}`}
          appId={appId}
          pin={pin}
          today={today}
          cards={module}
          onRemove={() => void save((now) => now.filter((other) => !isSame(pin, other)))}
        />
      ))}
    </div>
  );
}

/** Others are saved where they are made. */
export function PinMenu({ appId, funnel }: { appId: string; funnel: string | undefined }) {
  const { pins = [], save } = usePins(appId);
  const linkTo = useLinks();
  const views: PinnedView[] = [
    { title: t.peopleByVersion, page: 'trends', query: `breakdown=${VERSION}` },
    { title: t.peopleByCountry, page: 'trends', query: 'breakdown=country' },
    ...(funnel
      ? [{ title: t.byVersion(funnel), page: 'funnels' as const, query: `breakdown=${VERSION}` }]
      : []),
    { title: t.retention, page: 'retention', query: '' },
  ];
  const isFull = pins.length >= PINNED_VIEWS_MAX;
  const why = mayManage.value
    ? isFull
      ? pinsTexts.full(PINNED_VIEWS_MAX)
      : undefined
    : texts.errors.managersOnly;
  const items = views.map((view): MenuItem => {
    const isPinned = pins.some((pin) => isSame(pin, view));
    return {
      key: view.title,
      label: view.title,
      icon: ICONS[view.page],
      ...(isPinned && { detail: t.pinned }),
      disabledWhy: isPinned ? t.pinned : why,
      onSelect: () => void save((now) => [...now, view]),
    };
  });
  const href = linkTo('trends', appId);
  return (
    <Menu
      label={t.add}
      placement="bottom-end"
      button={{ class: 'ghost', icon: icons.pin, text: t.add }}
      items={[
        ...items,
        ...(href
          ? [{ key: 'another', label: t.another, icon: icons.trends, href, startsGroup: true }]
          : []),
      ]}
    />
  );
}
