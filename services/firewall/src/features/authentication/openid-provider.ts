import type { SnapshotOpenIdProvider } from '@palisade/proxy-protocol'
import { byName, text, textIfGiven } from '../../kinds/conversions.ts'
import { fieldReader, type Settings } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { oidcIdentityProvider } from './oidc-identity-provider.ts'

/** An OpenID provider, and what proves to it who asks. */
export const openIdProviderReader = fieldReader(oidcIdentityProvider, {
  issuer: ['openidc-issuer', text],
  clientId: ['client-id', text],
  clientSecret: ['client-secret', text],
  /** Whether its endpoints are those that its metadata tell. */
  endpoints: ['endpoint-configuration', byName({ 'Discovery URL': 'discovered' }, 'given')],
  metadataUrl: ['metadata-url', textIfGiven],
  authorizationEndpoint: ['auth-endpoint', text],
  tokenEndpoint: ['token-endpoint', text],
  keysUrl: ['jwks-url', text],
  userInfoEndpoint: ['userinfo-endpoint', textIfGiven],
})

/** The providers of a realm, by name. */
export function providersOf(realm: ConfigurationObject): readonly ConfigurationObject[] {
  return childrenOf(realm, oidcIdentityProvider.name)
}

/** The provider of a realm: its first; undefined where it has none. */
export function compileOpenIdProvider(realm: ConfigurationObject): SnapshotOpenIdProvider | undefined {
  const [provider] = providersOf(realm)
  return provider && openIdProviderReader.of(provider)
}

/** What an OpenID provider is asked with. */
export type SnapshotOpenIdProviderSettings = Settings<typeof openIdProviderReader>
