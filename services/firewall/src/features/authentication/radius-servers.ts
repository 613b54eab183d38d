import type { SnapshotRadiusServer } from '@palisade/proxy-protocol'
import { numberOr, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { radiusAuthenticationService } from './radius-authentication-service.ts'
import { radiusServer } from './radius-server.ts'
import { rsaSecuridAuthenticationService } from './rsa-securid-authentication-service.ts'
import { rsaServer } from './rsa-server.ts'

/** A RADIUS server, and how long it is waited for; servers of one-time codes are asked over RADIUS, too. */
export const radiusServerReader = fieldReader([radiusServer, rsaServer], {
  address: ['ip-address', text],
  /** Of UDP. */
  port: ['port', numberOr(1812)],
  sharedSecret: ['shared-secret', text],
  /** How often what is not answered is sent again. */
  retries: ['retries', numberOr(3)],
  /** How long one answer may take. */
  timeoutSeconds: ['timeout', numberOr(5)],
})

const radiusRealms = [
  { realm: radiusAuthenticationService, server: radiusServer },
  { realm: rsaSecuridAuthenticationService, server: rsaServer },
]

/** The servers of a realm that is asked over RADIUS, in the order in which they are asked; undefined for realms that are not. */
export function compileRadiusServers(realm: ConfigurationObject): SnapshotRadiusServer[] | undefined {
  const kinds = radiusRealms.find((one) => one.realm.name === realm.kind.name)
  return kinds && childrenOf(realm, kinds.server.name).map((server) => radiusServerReader.of(server))
}

/** What a RADIUS server is asked with. */
export type SnapshotRadiusServerSettings = Settings<typeof radiusServerReader>
