import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { mayEdit } from '../../state/session.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { texts } from '../../texts/index.ts';
import type { Funnel } from '../../state/funnels.ts';

export function Switcher(props: {
  /** Undefined of steps that have no name yet. */
  funnel: Funnel | undefined;
  all: readonly Funnel[];
  onChoose: (id: string) => void;
}) {
  const { funnel, all } = props;
  return (
    <Menu
      label={t.choose}
      button={(trigger) => (
        <button {...trigger} class="plain switcher">
          <span class="skip">{t.choose}: </span>
          <icons.funnels aria-hidden class="wide-only" />
          <span class="switcher-name">{funnel?.name ?? t.unnamed}</span>
          {funnel?.isDefault && (
            <span class="wide-only">
              <span class="chip">{t.isDefault}</span>
            </span>
          )}
          <icons.open aria-hidden class="small" />
        </button>
      )}
      items={all.map(({ id, name, steps, isDefault }) => ({
        key: id,
        label: name,
        detail: [t.steps(steps.length), ...(isDefault ? [t.isDefault] : [])].join(', '),
        isChosen: id === funnel?.id,
        onSelect: () => props.onChoose(id),
      }))}
    />
  );
}

export function FunnelActs(props: { funnel: Funnel | undefined; onEdit: (id: string) => void }) {
  const { funnel, onEdit } = props;
  const title = mayEdit.value ? undefined : texts.errors.editorsOnly;
  return (
    <>
      {funnel && (
        <button
          type="button"
          class="ghost"
          disabled={!mayEdit.value}
          title={title}
          onClick={() => onEdit(funnel.id)}
        >
          <icons.note aria-hidden />
          {t.edit}
        </button>
      )}
      <Button kind="primary" icon={icons.add} disabledWhy={title} onClick={() => onEdit('new')}>
        {t.create}
      </Button>
    </>
  );
}
