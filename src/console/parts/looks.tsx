import type { ComponentChildren } from 'preact';
import type { Icon } from './icons.ts';

export type Look = {
  key: string;
  icon: Icon;
  tone?: 'good' | 'warn' | 'bad' | undefined;
  title: ComponentChildren;
  text?: ComponentChildren;
  link?: { href: string; text: string; isDocument?: boolean } | undefined;
};

/** In the place of what is on its way. */
export const LooksSkeleton = ({ count }: { count: number }) => (
  <ul class="looks" aria-busy="true">
    {Array.from({ length: count }, (_, index) => (
      <li key={index} class="look-skeleton">
        <span class="skeleton" />
        <span class="skeleton" />
      </li>
    ))}
  </ul>
);

export const Looks = ({ looks }: { looks: readonly Look[] }) => (
  <ul class="looks">
    {looks.map(({ key, icon: Glyph, tone, title, text, link }) => (
      <li key={key}>
        <span class={`square ${tone ?? ''}`}>
          <Glyph />
        </span>
        <div>
          <strong>{title}</strong>
          {text && <p>{text}</p>}
        </div>
        {link && (
          <a href={link.href} {...(link.isDocument && { target: '_blank', rel: 'noreferrer' })}>
            {link.text}
          </a>
        )}
      </li>
    ))}
  </ul>
);
