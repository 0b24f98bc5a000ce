import { Button } from '../../parts/button.tsx';
import { type ExportItem, ExportMenu } from '../../parts/chart/export-menu.tsx';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { Pin } from '../../parts/pin.tsx';
import { Popover } from '../../parts/popover.tsx';
import { mayEdit } from '../../state/session.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { texts } from '../../texts/index.ts';
import type { Funnel } from './queries.ts';

export function Switcher(props: {
  funnel: Funnel;
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
          <span class="switcher-name">{funnel.name}</span>
          {funnel.isDefault && (
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
        isChosen: id === funnel.id,
        onSelect: () => props.onChoose(id),
      }))}
    />
  );
}

type ActsProps = {
  appId: string;
  funnel: Funnel | undefined;
  exports: readonly ExportItem[];
  onEdit: (id: string) => void;
};

function Acts({ appId, funnel, exports, onEdit }: ActsProps) {
  const title = mayEdit.value ? undefined : texts.errors.editorsOnly;
  return (
    <>
      <CopyLink />
      <ExportMenu items={exports} />
      {funnel && <Pin appId={appId} page="funnels" title={funnel.name} />}
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

export function HeadActs(props: ActsProps) {
  return (
    <>
      <div class="head-acts">
        <Acts {...props} />
      </div>
      <div class="head-more">
        <Popover
          label={t.more}
          placement="bottom-end"
          button={(trigger) => (
            <button {...trigger} class="plain icon-only" aria-label={t.more}>
              <icons.more aria-hidden />
            </button>
          )}
        >
          {(close) => (
            <div class="more-acts">
              <Acts
                {...props}
                onEdit={(id) => {
                  close();
                  props.onEdit(id);
                }}
              />
            </div>
          )}
        </Popover>
      </div>
    </>
  );
}
