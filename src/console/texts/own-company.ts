export const ownCompany = {
  ownWhy:
    'Whoever your company signs in with the mail address of this account is you in its organization, and nowhere else. Your password goes on.',
  own: 'Single sign-on (OpenID Connect)',
  join: 'Join it',
  byCompany:
    'You are signed in by your company, which opens its organization only. A password, a second factor and other organizations belong to an account of your own: sign out, and sign in to that.',
} as const;
