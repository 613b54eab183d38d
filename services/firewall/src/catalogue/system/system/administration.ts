import type { Section } from '../../../kinds/kind.ts'

/** Tokens are valid for at least a minute, also where the length is 0. */
export const webInterface = {
  title: 'Web Interface',
  description: 'How administrators reach the system by HTTP, and how long they stay logged in.',
  fields: {
    'http-port': { type: 'integer', min: 1, max: 65_535, default: 8000 },
    'http-session-length': {
      type: 'integer',
      min: 0,
      max: 9_999_999_999_999,
      unit: 'minutes',
      default: 20,
      description: 'How long a token is valid.',
    },
  },
} as const satisfies Section

/** Which certificate is shown: the default one, or that of one of the sections for management certificates. */
export const secureAdministration = {
  title: 'Secure Administration',
  description: 'How administrators reach the system by HTTPS, and with which certificate it answers.',
  fields: {
    'certificate-type': {
      type: 'choice',
      values: ['Default (Barracuda Networks)', 'Private (Self-signed)', 'Trusted (Signed by a trusted CA)'],
    },
    'https-access-only': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether HTTP without encryption is refused.',
    },
    'https-port': { type: 'integer', min: 1, max: 65_535, default: 8443 },
    'supported-ssl-protocols': {
      type: 'list',
      of: { type: 'choice', values: ['TLSv1', 'TLSv1.1', 'TLSv1.2'] },
    },
  },
} as const satisfies Section

/** The default policy is the least number of characters; everything else counts where the policy is Custom. */
export const passwordPolicy = {
  title: 'Password Policy',
  description: "What administrators' passwords have to be like, and how long they last.",
  fields: {
    contains: {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'Atleast One Digit',
          'Atleast One Lower Case Character',
          'Atleast One Special Character',
          'Atleast One Upper Case Character',
        ],
      },
    },
    'expiry-time': {
      type: 'choice',
      values: ['1 Year', '3 Months', '6 Months', 'Never', 'Other'],
      default: 'Never',
      description: 'How long a password lasts; Other means as long as other-expiry-time says.',
    },
    'minimum-characters': { type: 'integer', min: 8, max: 50, shownAs: 'number', default: 8 },
    'notify-before-expiry': { type: 'choice', values: ['1 Week', '2 Weeks'], default: '1 Week' },
    'number-of-passwords-to-lookup': {
      type: 'integer',
      min: 1,
      max: 12,
      description: 'How many earlier passwords may not be taken again. Empty, and all may.',
    },
    'other-expiry-time': { type: 'integer', min: 30, unit: 'days' },
    policy: { type: 'choice', values: ['Custom', 'Default'], default: 'Default' },
  },
} as const satisfies Section

/** A lock is for one administrator's name and the network that the attempts came from. */
export const accountLockoutSettings = {
  title: 'Account Lockout Settings',
  description: 'When a name is locked for the address from which logins with it failed, and for how long.',
  fields: {
    'failed-login-time-threshold': {
      type: 'integer',
      min: 1,
      unit: 'minutes',
      shownAs: 'number',
      default: 15,
      description: 'Failures that are further back do not count.',
    },
    'lockout-duration': { type: 'integer', min: 1, unit: 'minutes', shownAs: 'number', default: 15 },
    'maximum-failed-login-attempts': { type: 'integer', min: 1, shownAs: 'number', default: 5 },
  },
} as const satisfies Section

/** The title is the reference's own word for it. */
export const twoFactorAuth = {
  title: 'Dual Auth',
  description: 'Whether administrators have to show a second proof when they log in.',
  fields: {
    'enable-dual-authentication': { type: 'choice', values: ['Disable', 'Enable'] },
    'is-rsa-securid': { type: 'yes-no', description: 'Whether the second proof is an RSA SecurID code.' },
  },
} as const satisfies Section

/** Texts that anybody sees who reaches the login page. */
export const appearance = {
  title: 'Appearance',
  description: 'What the login page of the web interface shows.',
  fields: {
    'login-notice': { type: 'string', description: 'What administrators read before they log in.' },
    'logo-url': { type: 'string', lengthMax: 2048 },
  },
} as const satisfies Section

const place = { type: 'string', lengthMax: 64 } as const

/** Free texts; nothing is worked out from them. */
export const location = {
  title: 'Location',
  description: 'Where the machine stands, for whoever has to find it.',
  fields: { country: place, rack: place, slot: place },
} as const satisfies Section
