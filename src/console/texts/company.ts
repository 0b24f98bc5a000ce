export const company = {
  signIn: 'Sign in with your company',
  shortName: 'Short name of the organization',
  go: 'Go on',
  needed: 'Sign in with your company',
  neededWhy: 'This organization is opened by its own sign-in.',
  refused: {
    no_provider: 'No organization of this short name signs in by its company.',
    provider_away: 'Your company’s sign-in does not answer just now. Try again in a moment.',
    provider_refused: 'Your company’s sign-in did not let you in.',
    answer_not_valid: 'The answer of your company’s sign-in was not valid.',
    too_late: 'This sign-in was begun too long ago, or elsewhere. Begin again.',
    signed_in:
      'A link elsewhere began a company’s sign-in. You are still signed in here as before. To use it, sign out first.',
    address_not_verified: 'Your company has not verified your mail address.',
    domain_not_allowed: 'Your mail address is of a domain that may not sign in here.',
    address_not_valid: 'The mail address that your company gave for you is not one.',
    linked_otherwise:
      'The account with your mail address belongs to somebody else at your company. Ask an owner.',
    join_first:
      'You have an account of your own with this mail address here. Sign in with its password, then join it under “Account”.',
    other_address:
      'Your company gave another mail address than that of your account, so it did not join.',
    sign_up_closed: 'New accounts are closed here. Ask whoever runs this service.',
    full: 'The organization has as many members as it can have. Ask an owner to remove one.',
    too_many_today: 'Too many people signed in here for the first time today. Try again tomorrow.',
    no_refresh_token:
      'Your company’s sign-in gave no refresh token, without which a later removal is not seen. Ask its administrator to allow offline access.',
    no_group: 'You are in none of the groups that may sign in here.',
    removed: 'An owner removed you from this organization: ask for an invitation.',
  },
} as const;
