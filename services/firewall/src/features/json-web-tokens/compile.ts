import type { SnapshotTokenKey, SnapshotTokenProfile } from '@palisade/proxy-protocol'
import { readPublicKeys } from '../../certificates/index.ts'
import { isNotOff, items, oneOf, text, textIfGiven } from '../../kinds/conversions.ts'
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

/** Only keys that are given here verify signatures; `publicKeyIds` are in the order of the keys. */
export const tokenValidatorReader = fieldReader(jwtValidatorEndpoint, {
  type: ['type', oneOf('Internal')],
  publicKeyIds: ['public-keys-kid', items],
  secret: ['verify-shared-keys', textIfGiven],
  secretId: ['shared-keys-kid', textIfGiven],
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
    return { ...everywhere, name: object.name, ...place, keys: keysOf(validator, snapshot) }
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

/** Whether proxies can do what a validator says: it verifies signatures, and some key is given, or none is to be fetched. */
export function isValidatedHere(validator: ConfigurationObject, snapshot: Snapshot): boolean {
  if (tokenValidatorReader.of(validator).type !== 'Internal') return false
  return keysOf(validator, snapshot).length > 0 || !fetchesKeys(validator)
}

/** Whether a validator is to fetch keys, which nothing does. */
export function fetchesKeys({ content }: ConfigurationObject): boolean {
  return text(content.values['verify-jwks-uri']) !== ''
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
