import { type Static, Type } from '@sinclair/typebox';
import { Named } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { GivenPassword } from './account.ts';

const SIX_DIGITS = /^\d{6}$/;
export const isTimeBased = (code: string): boolean => SIX_DIGITS.test(code);

/** Compared only. */
const Code = Text(6, 64, {
  description: 'The six digits that the authenticator app shows now, or a recovery code',
});

export const SecondFactor = Named('SecondFactor', {
  isOn: Type.Boolean(),
  isRequired: Type.Boolean({ description: 'By an organization that the person belongs to' }),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
});
export type SecondFactor = Static<typeof SecondFactor>;

const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each opens once, in place of the six digits. They are not shown again.',
});

export const NewSecondFactor = Named('NewSecondFactor', {
  address: Type.String({ description: 'An `otpauth:` address for the authenticator app' }),
  secret: Type.String({ description: 'The same secret, to be typed (base 32)' }),
  qr: Type.Object(
    {
      size: Type.Integer({ description: 'Width and height, in modules' }),
      path: Type.String({ description: 'Dark modules, as the path of an SVG' }),
    },
    { description: 'The address as a QR code' },
  ),
  recoveryCodes: RecoveryCodes,
});
export type NewSecondFactor = Static<typeof NewSecondFactor>;

export const NewRecoveryCodes = Named('NewRecoveryCodes', { recoveryCodes: RecoveryCodes });
export type NewRecoveryCodes = Static<typeof NewRecoveryCodes>;

export const PasswordAgainBody = Named(
  'PasswordAgainBody',
  { currentPassword: GivenPassword },
  { examples: [{ currentPassword: 'correct-horse-7-battery' }] },
);

export const ConfirmSecondFactorBody = Named(
  'ConfirmSecondFactorBody',
  {
    code: Text(6, 64, { description: 'The six digits that the authenticator app shows now' }),
  },
  { examples: [{ code: '123456' }] },
);

export const PasswordAndCodeBody = Named(
  'PasswordAndCodeBody',
  { currentPassword: GivenPassword, code: Code },
  { examples: [{ currentPassword: 'correct-horse-7-battery', code: '123456' }] },
);

export const SecondFactorBody = Named(
  'SecondFactorBody',
  { code: Code },
  { examples: [{ code: '123456' }] },
);

const REQUIREMENTS = {
  secondFactorRequired: Type.Boolean({
    description: 'Members without a second factor are refused until they have one',
  }),
};
export const OrganizationSecurityBody = Named('OrganizationSecurityBody', REQUIREMENTS, {
  examples: [{ secondFactorRequired: true }],
});
export const OrganizationSecurity = Named('OrganizationSecurity', REQUIREMENTS);
export type OrganizationSecurity = Static<typeof OrganizationSecurity>;
