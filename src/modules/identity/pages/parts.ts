import { PASSWORD_LENGTH } from '../model/account.ts';

const EMAIL_FIELD = `
        <label>E-mail address
          <input name="email" type="email" autocomplete="username" required maxlength="254">
        </label>`;

function passwordField(label: string, name: string): string {
  return `
        <label>${label}
          <input name="${name}" type="password" autocomplete="new-password" required
            minlength="${PASSWORD_LENGTH.min}" maxlength="${PASSWORD_LENGTH.max}">
          <small>${PASSWORD_LENGTH.min} characters or more, and none that is well known.</small>
        </label>`;
}

function form(id: string, fields: string, button: string, others = ''): string {
  return `
      <form id="${id}" data-part method="post" hidden>${fields}
        <button type="submit">${button}</button>${others}
      </form>`;
}

function switchTo(id: string, text: string): string {
  return `
        <button type="button" class="plain" id="${id}">${text}</button>`;
}

const signIn = (others = '') =>
  form(
    'sign-in',
    `${EMAIL_FIELD}
        <label>Password
          <input name="password" type="password" autocomplete="current-password" required maxlength="128">
        </label>`,
    'Sign in',
    `
        <p><small><a href="/reset-password">I forgot my password</a></small></p>${others}`,
  );

const makeAccount = (button: string) =>
  form(
    'make-account',
    `
        <label>Your name
          <input name="name" autocomplete="name" required maxlength="80">
        </label>${EMAIL_FIELD}${passwordField('New password', 'password')}`,
    button,
    switchTo('to-sign-in', 'I have an account'),
  );

const toMakeAccount = switchTo('to-make-account', 'I have no account yet');

export const PAGES = {
  'accept-invitation': {
    title: 'Join the organization',
    parts: [
      makeAccount('Make an account and join'),
      signIn(toMakeAccount),
      form('join', '', 'Join', switchTo('other-account', 'Use another account')),
    ],
  },
  'sign-up': {
    title: 'Make an account',
    parts: [makeAccount('Make an account'), signIn(toMakeAccount)],
  },
  'reset-password': {
    title: 'Set a new password',
    parts: [
      form('new-password', passwordField('New password', 'newPassword'), 'Set the password'),
      form('request-reset', EMAIL_FIELD, 'Mail me a link', switchTo('to-sign-in', 'Sign in')),
      signIn(),
    ],
  },
} as const satisfies Record<string, { title: string; parts: readonly string[] }>;

export type PageName = keyof typeof PAGES;
