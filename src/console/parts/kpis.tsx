import type { ComponentChildren } from 'preact';
import { Info } from './info.tsx';

export const Kpis = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <section class="card kpis" aria-label={label}>
    {children}
  </section>
);

function KpiName(props: {
  label: string;
  isSubject?: boolean | undefined;
  onClick?: (() => void) | undefined;
  href?: string | undefined;
}) {
  const { label, onClick, href } = props;
  if (onClick) {
    return (
      <button
        type="button"
        class="kpi-link"
        aria-pressed={props.isSubject ?? false}
        onClick={onClick}
      >
        {label}
      </button>
    );
  }
  return href ? (
    <a class="kpi-link" href={href}>
      {label}
    </a>
  ) : (
    <span>{label}</span>
  );
}

/** The whole cell is the button or the link. */
export function Kpi(props: {
  label: string;
  meaning?: string;
  figure: ComponentChildren | undefined;
  small?: ComponentChildren;
  change?: ComponentChildren;
  /** What the figure leaves out, or what cannot be compared. */
  chip?: ComponentChildren;
  spark?: ComponentChildren;
  isSubject?: boolean;
  onClick?: () => void;
  href?: string;
}) {
  const { label, meaning, figure, small, change, chip, spark, isSubject } = props;
  return (
    <div class={isSubject ? 'kpi on' : 'kpi'}>
      <h2 class="kpi-label">
        <KpiName label={label} isSubject={isSubject} onClick={props.onClick} href={props.href} />
        {meaning && <Info label={label}>{meaning}</Info>}
      </h2>
      {figure === undefined ? (
        <p class="kpi-figure" aria-busy="true">
          <span class="skeleton" />
        </p>
      ) : (
        <p class="kpi-figure">
          {figure}
          {small && <small>{small}</small>}
        </p>
      )}
      <div class="kpi-change">
        {change}
        {chip}
      </div>
      {spark && <div class="kpi-spark">{spark}</div>}
    </div>
  );
}
