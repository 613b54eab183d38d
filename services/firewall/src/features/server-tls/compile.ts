import type { SnapshotServer } from '@palisade/proxy-protocol'
import { isOn } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { ruleGroupServer } from '../content-rules/rule-group-server.ts'
import { server } from '../servers/server.ts'
import { ownCertificate } from '../tls/certificates.ts'
import { versionMembers, versionRange } from '../tls/versions.ts'

const servers = [server, ruleGroupServer] as const

/** How TLS is spoken with a server; undefined where it is reached by plain HTTP. */
export const serverTlsReader = whenOn(
  sectionReader(servers, 'ssl-policy', {
    isOn: ['enable-https', isOn],
    validatesCertificate: ['validate-certificate', isOn],
    offersHttp2: ['enable-http2-server', isOn],
    ...versionMembers,
  }),
)

/** The certificate that is shown to the server: one at most, which needs a private key. */
export const certificateForServer = sectionReferenceReader(servers, 'ssl-policy', 'client-certificate')

/** How TLS is spoken with a server, if it is. */
export function compileServerTls(
  object: ConfigurationObject,
  snapshot: Snapshot,
): Pick<SnapshotServer, 'tls' | 'offersHttp2'> {
  const read = serverTlsReader.of(object)
  if (read === undefined) return { offersHttp2: false }
  const { validatesCertificate, offersHttp2, ...versions } = read
  const [reference] = certificateForServer.referencesOf(object)
  return {
    tls: {
      validatesCertificate,
      ...(versionRange(versions) ?? { oldestVersion: 'TLSv1.2', newestVersion: 'TLSv1.3' }),
      ...optional('certificate', ownCertificate(reference, snapshot)),
    },
    offersHttp2,
  }
}

/** How TLS is spoken with a server. */
export type SnapshotServerTlsSettings = Omit<
  Settings<typeof serverTlsReader>,
  keyof typeof versionMembers | 'offersHttp2'
>
