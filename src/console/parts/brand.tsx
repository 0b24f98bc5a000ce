import { texts } from '../texts/index.ts';

export const Brand = () => (
  <p class="brand">
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="brand-ground" />
      <path d="M7 21.5l6-6 4.5 3.5L25 10.5" class="brand-line" />
      <circle cx="25" cy="10.5" r="3" class="brand-point" />
    </svg>
    {texts.product}
  </p>
);
