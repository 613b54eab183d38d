import type { ReferenceField, Section, StringField } from '../../../kinds/kind.ts'
import { absolutePath, absoluteUrl, hostName, urlOrPath } from '../../../kinds/patterns.ts'
import { ownCertificate } from '../../tls/fields.ts'

const authenticationService = {
  type: 'reference',
  to: [
    'ldap-authentication-service',
    'radius-authentication-service',
    'rsa-securid-authentication-service',
    'saml-authentication-service',
    'kerberos-authentication-service',
    'oidc-authentication-service',
  ],
  orOneOf: ['internal'],
} as const satisfies ReferenceField

const page = { type: 'reference', to: 'response-page' } as const satisfies ReferenceField

/** A page, or the word that sends people to the URL beside it. */
const pageOrOwn = { ...page, orOneOf: ['custom...'] } as const satisfies ReferenceField

const url = {
  type: 'string',
  lengthMin: 1,
  lengthMax: 255,
  pattern: urlOrPath,
} as const satisfies StringField
const path = {
  type: 'string',
  lengthMin: 1,
  lengthMax: 63,
  pattern: absolutePath,
} as const satisfies StringField

/**
 * Asks people who they are before their requests reach the servers; which requests that concerns, and who is let
 * through, is said by authorization policies. The pages and addresses are those that people see on the way.
 */
export const authentication = {
  title: 'Authentication',
  description: 'How people log in to the service, and how long they stay logged in.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'authentication-service': {
      ...authenticationService,
      description: 'Who knows the users; "internal" for those that are kept here.',
    },
    groups: {
      type: 'string',
      description:
        'Groups of trusted hosts that need no login where the action is Allow, separated by commas.',
    },
    'dual-authentication': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether people log in with two services, one after the other.',
    },
    'secondary-authentication-service': authenticationService,
    action: { type: 'choice', values: ['Default', 'Allow'], default: 'Default' },

    'idle-timeout': { type: 'integer', min: 1, max: 86_400, default: 15, unit: 'minutes' },
    'creation-timeout': {
      type: 'integer',
      min: 1,
      max: 86_400,
      unit: 'minutes',
      description: 'How long after their login people have to log in again in any case.',
    },
    'session-timeout-for-activesync': {
      type: 'integer',
      min: 1,
      max: 86_400,
      default: 480,
      unit: 'minutes',
    },
    'session-replay-protection-status': {
      type: 'on-off',
      description: 'Whether a session ends that another client goes on with.',
    },
    'cookie-domain': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 255,
      pattern: hostName,
      description: 'All hosts below it share one login.',
    },
    'cookie-path': { type: 'string', lengthMin: 1, lengthMax: 255, pattern: absolutePath, default: '/' },
    'sso-cookie-update-interval': {
      type: 'integer',
      min: 1,
      max: 86_400,
      default: 30,
      unit: 'seconds',
    },
    'master-service': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether services of other domains send people here to log in.',
    },
    'master-service-url': { type: 'string', lengthMin: 1, lengthMax: 63, pattern: urlOrPath },

    'enable-bruteforce-prevention': { type: 'yes-no', default: 'No' },
    'max-failed-attempts': { type: 'integer', min: 1, max: 65_535, default: 10 },
    'count-window': {
      type: 'integer',
      min: 1,
      max: 3600,
      default: 60,
      unit: 'seconds',
      description: 'In which the failed attempts are counted.',
    },

    'login-page': { ...page, default: 'default-login-page' },
    'login-successful-page': { ...pageOrOwn, default: 'default-login-success-page' },
    'login-success-url': url,
    'login-failed-page': { ...pageOrOwn, default: 'default-login-failed-page' },
    'login-failure-url': url,
    'login-challenge-page': { ...pageOrOwn, default: 'default-challenge-page' },
    'dual-login-page': { ...page, default: 'default-dual-login-page' },
    'logout-page': { ...page, default: 'default-login-success-page' },
    'logout-successful-page': { ...pageOrOwn, default: 'default-logout-success-page' },
    'logout-success-url': url,
    'access-denied-page': { ...page, default: 'default-access-denied-page' },
    'password-expired-url': url,
    'challenge-user-field': { type: 'string', lengthMin: 1, lengthMax: 255, default: 'challenge_user' },
    'challenge-prompt-field': { type: 'string', lengthMin: 1, lengthMax: 255, default: 'challenge_prompt' },

    'login-processor-path': {
      ...path,
      default: '/nclogin.submit',
      description: 'Where the login form is sent.',
    },
    'post-processor-path': {
      ...path,
      default: '/saml.sso/saml2/post',
      description: 'Where identity providers send what they assert.',
    },
    'logout-processor-path': { ...path, default: '/saml.sso/slo/redirect' },
    'saml-logout-url': { ...url, lengthMax: 256 },
    'service-provider-entity-id': {
      type: 'string',
      lengthMax: 1024,
      description: 'What identity providers know the service by.',
    },
    'service-provider-display-name': { type: 'string', lengthMax: 255 },
    'service-provider-org-name': { type: 'string', lengthMax: 255 },
    'service-provider-org-url': { type: 'string', lengthMax: 1024, pattern: absoluteUrl },
    'signing-certificate': { ...ownCertificate, description: 'Signs what identity providers are asked.' },
    'encryption-certificate': {
      ...ownCertificate,
      description: 'Identity providers encrypt their assertions for it.',
    },
    'attribute-name': {
      type: 'list',
      of: { type: 'string', lengthMax: 255 },
      description:
        'Attributes that identity providers assert; the three lists below go with it, item by item.',
    },
    'attribute-id': { type: 'list', of: { type: 'string', lengthMax: 255 } },
    'attribute-format': { type: 'list', of: { type: 'choice', values: ['Basic', 'URI', 'Unspecified'] } },
    'attribute-type': { type: 'list', of: { type: 'choice', values: ['NameID', 'Scoped', 'String'] } },

    'openidc-redirect-url': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 63,
      pattern: urlOrPath,
      description: 'Where OpenID providers send people back to.',
    },
    'openidc-local-id': {
      type: 'string',
      lengthMin: 3,
      lengthMax: 32,
      description: 'What a claim is called here.',
    },
    'openidc-attribute-name': {
      type: 'string',
      lengthMin: 3,
      lengthMax: 32,
      description: 'What the OpenID provider calls that claim.',
    },

    'kerberos-enable-delegation': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether servers may act in the name of people who logged in.',
    },
    'kerberos-ldap-authorization': {
      type: 'yes-no',
      description: "Whether people's groups are looked up in a directory.",
    },
    'krb-authorization-policy': { type: 'reference', to: 'authorization-policy' },
    'kerberos-debug-status': { type: 'yes-no', default: 'No' },
    'send-domain-name': {
      type: 'choice',
      values: ['Allow', 'Block'],
      default: 'Block',
      description: 'Whether servers are told the domain before the name of a user.',
    },
  },
} as const satisfies Section
