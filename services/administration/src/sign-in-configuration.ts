import { type Problem, problemAt, repeatedIndexes } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { Grant, problemOfGrants } from './access/grants.ts'

const text = (description: string) => Type.String({ minLength: 1, description })

const GrantRule = Type.Object(
  {
    claim: text(
      'The claim that is looked at, such as groups. Dots lead into objects: realm_access.roles, where no claim has that name itself.',
    ),
    value: text('What the claim is, or has among its values.'),
    grants: Type.Array(Grant, { minItems: 1, description: 'What an operator with that claim may do.' }),
  },
  { additionalProperties: false },
)

const OpenIdProvider = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      expects: 'a name of lower-case letters, digits and hyphens',
      examples: ['company'],
      description:
        'Names the provider in addresses and to whoever signs in; usernames of its operators end with it.',
    }),
    issuer: Type.String({
      pattern: '^https?://',
      expects: 'an address that begins with https://',
      examples: ['https://login.example.org/realms/company'],
      description: 'The issuer, as the provider spells it; its configuration is discovered there.',
    }),
    clientId: text('The client id that the provider has given Palisade.'),
    clientSecretFile: text('A file with the client secret, which nobody but the server may read.'),
    scopes: Type.Array(text('A scope.'), {
      default: ['openid', 'profile', 'email'],
      description: 'The scopes that are asked for; openid is among them in any case.',
    }),
    usernameClaim: Type.String({
      minLength: 1,
      default: 'preferred_username',
      description: 'The claim that an operator is named by when he first signs in.',
    }),
    grants: Type.Array(GrantRule, {
      default: [],
      description: 'What claims grant, at each sign-in anew; whoever is granted nothing is not let in.',
    }),
    caFile: Type.Optional(text('Authorities that are trusted besides the usual ones, PEM.')),
  },
  { additionalProperties: false },
)

/** The providers at which operators sign in (OpenID Connect Core 1.0). */
export const OpenIdConfigurationSchema = Type.Array(OpenIdProvider, {
  default: [],
  description: 'Providers of OpenID Connect at which operators sign in.',
})

/** Where browsers find this server. */
export const PublicUrlSchema = Type.Optional(
  Type.String({
    pattern: '^https?://',
    expects: 'an address such as https://palisade.example.org',
    examples: ['https://palisade.example.org'],
    description:
      'Where browsers find the services listener, without a path. Single sign-on and passkeys need it; passkeys are for its host name.',
  }),
)

/** A provider with its defaults filled in. */
export type OpenIdProviderConfiguration = Static<typeof OpenIdProvider>

/** What the schema does not say of providers and the public address. */
export function problemsOfSignIn({
  publicUrl,
  openid,
}: {
  readonly publicUrl?: string
  readonly openid: readonly OpenIdProviderConfiguration[]
}): Problem[] {
  const member = ['administration', 'openid']
  return [
    ...problemsOfPublicUrl(publicUrl, openid.length > 0),
    ...repeatedIndexes(openid.map(({ name }) => name)).map((index) =>
      problemAt([...member, index, 'name'], 'is that of another provider'),
    ),
    ...repeatedIndexes(openid.map(({ issuer }) => issuer)).map((index) =>
      problemAt([...member, index, 'issuer'], 'is that of another provider'),
    ),
    ...openid.flatMap(({ issuer, grants }, provider) => [
      ...(isIssuer(issuer)
        ? []
        : [
            problemAt(
              [...member, provider, 'issuer'],
              'must be an https:// address without a query; http:// is for loopback',
            ),
          ]),
      ...grants.flatMap(({ grants: given }, rule) =>
        given.flatMap((grant, index) => {
          const sentence = problemOfGrants([grant])
          if (sentence === undefined) return []
          const path = [...member, provider, 'grants', rule, 'grants', index]
          return [problemAt(path, `cannot be: ${sentence.replace(/\.$/, '')}`)]
        }),
      ),
    ]),
  ]
}

function problemsOfPublicUrl(publicUrl: string | undefined, isNeeded: boolean): Problem[] {
  const path = ['administration', 'publicUrl']
  if (publicUrl === undefined)
    return isNeeded ? [problemAt(path, 'is needed where openid has a provider')] : []
  const url = URL.parse(publicUrl)
  if (url !== null && isSecure(url) && publicUrl.replace(/\/$/, '') === url.origin) return []
  return [problemAt(path, 'must be an https:// address without a path; http:// is for loopback')]
}

function isIssuer(issuer: string): boolean {
  const url = URL.parse(issuer)
  return url !== null && isSecure(url) && url.search === '' && url.hash === '' && url.username === ''
}

/** Whether nobody on the way can read or change what is sent there. */
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
