export const currency = {
  label: 'Currency',
  word: 'in',
  own: 'own currency',
  why: 'Money is shown in it wherever no other currency is chosen, each amount at the rate of its own day.',
} as const;
