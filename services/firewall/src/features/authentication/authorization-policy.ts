import type { Kind } from '../../kinds/kind.ts'
import { objectName, oneLine, pathMatch, urlOrPath } from '../../kinds/patterns.ts'
import { extendedMatch, hostOfRequests } from '../places/fields.ts'

const page = { type: 'string', lengthMin: 1, lengthMax: 255, pattern: urlOrPath } as const

/**
 * Says which requests need a login and whose login is enough. Followed while the authentication of the service is
 * on; a policy that allows no users, groups or access rules lets nobody through.
 */
export const authorizationPolicy = {
  name: 'authorization-policy',
  title: 'Authorization Policy',
  description: 'Requests that need a login, and the people who may make them.',
  path: 'authorization-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    status: { type: 'on-off' },
    host: { ...hostOfRequests, lengthMax: 255 },
    url: { type: 'string', lengthMax: 5000, pattern: pathMatch, required: true },
    'extended-match': extendedMatch,
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      description: 'Policies with lower numbers are tried first.',
    },
    comments: { type: 'string' },

    'allow-any-authenticated-user': { type: 'yes-no' },
    'allowed-users': { type: 'string', lengthMax: 45, description: 'Names, separated by commas.' },
    'allowed-groups': { type: 'string', lengthMax: 64, description: 'Names, separated by commas.' },
    'access-rules': {
      type: 'list',
      of: { type: 'reference', to: 'access-rule' },
      shownAs: 'text',
    },

    'login-method': {
      type: 'choice',
      values: ['HTML Form', 'HTTP ActiveSync', 'HTTP Basic Authentication'],
    },
    'login-url': { ...page, description: 'Where people are sent who have not logged in.' },
    'access-denied-url': { ...page, description: 'Where people are sent who may not make the request.' },
    'use-persistent-cookie': {
      type: 'yes-no',
      description: 'Whether the login outlives the browser that it was made with.',
    },
    'cookie-timeout': {
      type: 'integer',
      min: 5,
      max: 600,
      unit: 'minutes',
      description: 'How long a persistent cookie counts.',
    },
    'send-basic-auth': {
      type: 'yes-no',
      description: 'Whether servers are told the name and the password of the user.',
    },
    'send-domain-in-basic-auth': { type: 'yes-no', description: 'Before the name.' },
    'kerberos-spn': {
      type: 'string',
      lengthMax: 255,
      pattern: oneLine,
      description: 'What the server is called in Kerberos, such as HTTP/www.example.com.',
    },
    'openidc-scope': {
      type: 'string',
      lengthMax: 2048,
      pattern: oneLine,
      description: 'What the OpenID provider is asked for.',
    },
    'auth-context-classref': {
      type: 'string',
      lengthMax: 1024,
      pattern: oneLine,
      description: 'How people have to log in at the identity provider; a URI of SAML.',
    },
    'enable-signing-on-authrequest': {
      type: 'yes-no',
      description: 'Whether requests to the identity provider are signed.',
    },
    'digest-algorithm': { type: 'choice', values: ['SHA-1', 'SHA-256'], description: 'Of those signatures.' },
  },
} as const satisfies Kind
