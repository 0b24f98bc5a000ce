import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { home as homeTexts } from '../../texts/home.ts';

const t = homeTexts.doors;

function Door(props: {
  icon: icons.Icon;
  title: string;
  text: string;
  children: ComponentChildren;
}) {
  const { icon: Glyph, title, text, children } = props;
  return (
    <section class="card door-card">
      <span class="square accent">
        <Glyph />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="door-act">{children}</div>
    </section>
  );
}

function LookAround() {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(t.lookCommand).catch(() => {});
    isCopied.value = true;
  };
  return (
    <>
      <code>{t.lookCommand}</code>
      <Button icon={isCopied.value ? icons.check : icons.copy} onClick={() => void copy()}>
        <span role="status">{isCopied.value ? t.lookDone : t.lookAct}</span>
      </Button>
    </>
  );
}

type DoorsProps = { onAdd: () => void; addWhyNot: string | false };

export const ThreeDoors = ({ onAdd, addWhyNot }: DoorsProps) => (
  <>
    <div class="doors-head">
      <p class="say">{t.title}</p>
      <p class="quiet">{t.why}</p>
    </div>
    <div class="grid three stretch">
      <Door icon={icons.store} title={t.store} text={t.storeWhy}>
        <Button href="/store">{t.storeAct}</Button>
      </Door>
      <Door icon={icons.connections} title={t.connect} text={t.connectWhy}>
        <Button kind="primary" icon={icons.add} onClick={onAdd} disabledWhy={addWhyNot}>
          {homeTexts.add.act}
        </Button>
      </Door>
      <Door icon={icons.search} title={t.look} text={t.lookWhy}>
        <LookAround />
      </Door>
    </div>
  </>
);
