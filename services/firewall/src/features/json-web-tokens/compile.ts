import type { SnapshotTokenKey, SnapshotTokenProfile } from '@palisade/proxy-protocol'
import { readPublicKeys } from '../../certificates/index.ts'
import { isNotOff, items, number, text, textIfGiven, textOr } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import { referredObject } from '../../objects/references.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { jwtPublicKey } from './jwt-public-key.ts'
import { jwtUrlProfile } from './jwt-url-profile.ts'
import { jwtValidatorEndpoint } from './jwt-validator-endpoint.ts'

/** Which requests need a token; undefined where the profile is switched off. */
export const tokenProfileReader = whenOn(
  fieldReader(jwtUrlProfile, {
    isOn: ['status', isNotOff],
    host: ['host-match', placeMembers.host[1]],
    url: placeMembers.url,
    extendedMatch: placeMembers.extendedMatch,
    sequence: placeMembers.sequence,
  }),
)

/** What validates the tokens of a profile: one validator. */
export const validatorOfProfile = referenceReader(jwtUrlProfile, 'validator-policy')

/** Keys verify signatures, or an endpoint is asked; `publicKeyIds` are in the order of the keys. */
export const tokenValidatorReader = fieldReader(jwtValidatorEndpoint, {
  type: ['type', text],
  publicKeyIds: ['public-keys-kid', items],
  secret: ['verify-shared-keys', textIfGiven],
  secretId: ['shared-keys-kid', textIfGiven],
  keysUrl: ['verify-jwks-uri', textIfGiven],
  endpoint: ['endpoint', textIfGiven],
  verifiesCertificate: ['validate-server', isNotOff],
  tokenParameter: ['token-param-name', textOr('token')],
  moreParameters: ['post-params', text],
  mechanism: ['auth-mechanism', text],
  clientId: ['client-id', text],
  clientSecret: ['client-secret', text],
  bearer: ['bearer-access-token', text],
  rememberedMax: ['max-cache-size', number],
})

/** The objects that hold the public keys of a validator. */
export const publicKeysOfValidator = referenceReader(jwtValidatorEndpoint, 'verify-public-keys')

/** Public keys as they were given: PEM, certificates, or a JSON Web Key Set. */
export const publicKeyReader = fieldReader(jwtPublicKey, { contents: ['key-contents', text] })

/** The profiles of a service whose tokens are validated here; undefined when there are none. */
export function compileTokenProfiles(
  service: ConfigurationObject,
  snapshot: Snapshot,
): readonly SnapshotTokenProfile[] | undefined {
  const profiles = tokenProfilesOf(service, snapshot).flatMap(({ object, validator }) => {
    const place = tokenProfileReader.of(object)
    if (place === undefined || !isValidatedHere(validator, snapshot)) return []
    return { ...everywhere, name: object.name, ...place, ...validationBy(validator, snapshot) }
  })
  return profiles.length === 0 ? undefined : inOrder(profiles)
}

/** The profiles of a service that are switched on, each with its validator. */
export function tokenProfilesOf(service: ConfigurationObject, snapshot: Snapshot) {
  return childrenOf(service, jwtUrlProfile.name)
    .filter((object) => tokenProfileReader.of(object) !== undefined)
    .flatMap((object) => {
      const [validator] = validatorOfProfile.of(object, snapshot)
      return validator === undefined ? [] : { object, validator }
    })
}

/** Whether proxies can validate tokens as a validator says. They fetch keys, and ask endpoints, over TLS alone. */
export function isValidatedHere(validator: ConfigurationObject, snapshot: Snapshot): boolean {
  const { type, endpoint, keysUrl } = tokenValidatorReader.of(validator)
  if (type === 'External') return isOverTls(endpoint)
  return keysUrl === undefined || isOverTls(keysUrl) || keysOf(validator, snapshot).length > 0
}

/** Whether somebody can be asked at an address: what comes over plain HTTP may be anybody's. */
export function isOverTls(url: string | undefined): boolean {
  return url !== undefined && /^https:/i.test(url)
}

/** By what tokens are judged: by an endpoint, or by keys. */
function validationBy(
  validator: ConfigurationObject,
  snapshot: Snapshot,
): Pick<SnapshotTokenProfile, 'keys' | 'fetchedKeys' | 'introspection'> {
  const { type, endpoint = '', keysUrl, ...settings } = tokenValidatorReader.of(validator)
  if (type === 'External') {
    const { verifiesCertificate, tokenParameter, moreParameters, rememberedMax } = settings
    const introspection = {
      endpoint,
      verifiesCertificate,
      tokenParameter,
      moreParameters,
      rememberedMax,
      ...optional('authorization', authorizationOf(settings)),
    }
    return { keys: [], introspection }
  }
  const fetchedKeys = keysUrl !== undefined && isOverTls(keysUrl) ? { url: keysUrl } : undefined
  return { keys: keysOf(validator, snapshot), ...optional('fetchedKeys', fetchedKeys) }
}

/** RFC 6749, section 2.3.1, has both parts encoded as in a form. The specification writes "Bearer Acess Token". */
function authorizationOf({
  mechanism,
  clientId,
  clientSecret,
  bearer,
}: {
  readonly mechanism: string
  readonly clientId: string
  readonly clientSecret: string
  readonly bearer: string
}): string | undefined {
  if (/^bearer/i.test(mechanism)) return `Bearer ${bearer}`
  if (!/basic/i.test(mechanism)) return undefined
  const encoded = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ part }).toString().slice('part='.length),
  )
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

/** The keys of a validator. A key that names itself, as in a set, keeps its name. */
export function keysOf(validator: ConfigurationObject, snapshot: Snapshot): SnapshotTokenKey[] {
  const { publicKeyIds, secret, secretId } = tokenValidatorReader.of(validator)
  const publicKeys = publicKeysOfValidator.referencesOf(validator).flatMap((reference, index) => {
    const object = referredObject(reference, snapshot)
    return object === undefined ? [] : publicKeysIn(object, publicKeyIds[index] || undefined)
  })
  return secret === undefined ? publicKeys : [...publicKeys, { secret, ...optional('keyId', secretId) }]
}

/** @param givenId the key id that the validator gives to the keys of this object */
function publicKeysIn(object: ConfigurationObject, givenId: string | undefined): SnapshotTokenKey[] {
  return readPublicKeys(publicKeyReader.of(object).contents).map(({ pem, keyId, algorithm }) => ({
    publicKey: pem,
    ...optional('keyId', keyId ?? givenId),
    ...optional('algorithm', algorithm),
  }))
}
