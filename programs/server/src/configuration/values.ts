import { problemsOfAdministration } from '@palisade/administration'
import { problemsOfAwareness } from '@palisade/awareness'
import { type BackupConfiguration, problemsOfBackup } from '@palisade/backup'
import { problemsOfEmail } from '@palisade/email'
import { problemsOfFirewall } from '@palisade/firewall'
import { type Problem, problemAt, problemOfServers } from '@palisade/platform'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Check } from 'typebox/value'
import { problemsOfCertificate, problemsOfObtainedCertificates } from './certificates.ts'
import { problemsOfListeners } from './listeners.ts'
import { ConfigurationSchema } from './schema.ts'
import { problemsOfTrustedProxies } from './trusted-proxies.ts'

const parts = ConfigurationSchema.properties

/**
 * What the schema cannot say is wrong, in all parts of a configuration that are of the right form.
 *
 * @param configuration with its defaults
 * @param readsFiles whether the files of certificates are read as well
 */
export function problemsBesideSchema(configuration: unknown, readsFiles: boolean): Problem[] {
  const { database, firewall, services, administration, awareness, backup, email } = parts
  const whereOfForm = <Properties extends TProperties>(
    properties: Properties,
    problemsOf: (value: Static<TObject<Properties>>) => readonly Problem[],
  ) => (Check(Type.Object(properties), configuration) ? problemsOf(configuration) : [])
  return [
    ...whereOfForm({ database }, problemsOfDatabase),
    ...whereOfForm({ database, backup }, problemsOfSeveralServers),
    ...whereOfForm({ firewall, services }, problemsOfListeners),
    ...whereOfForm({ firewall, services }, problemsOfObtainedCertificates),
    ...whereOfForm({ services }, (values) => problemsOfTrustedProxies(values.services)),
    ...whereOfForm({ firewall }, (values) => problemsOfFirewall(values.firewall)),
    ...whereOfForm({ administration }, (values) => problemsOfAdministration(values.administration)),
    ...whereOfForm({ awareness }, (values) => problemsOfAwareness(values.awareness)),
    // Another server may serve the backups by a configuration of its own.
    ...whereOfForm({ backup }, (values) => (values.backup.serve ? problemsOfBackup(values.backup) : [])),
    ...whereOfForm({ email }, (values) => problemsOfEmail(values.email)),
    ...(readsFiles
      ? [
          ...whereOfForm({ firewall }, (values) => problemsOfCertificate('firewall', values.firewall)),
          ...whereOfForm({ services }, (values) => problemsOfCertificate('services', values.services)),
        ]
      : []),
  ]
}

function problemsOfDatabase({ database }: { readonly database: string }): Problem[] {
  const problem = problemOfServers(database)
  return problem === undefined ? [] : [problemAt(['database'], problem)]
}

function problemsOfSeveralServers({
  database,
  backup,
}: {
  readonly database: string
  readonly backup: BackupConfiguration
}): Problem[] {
  if (database !== 'embedded' || backup.advertiseAddress === undefined) return []
  return [
    problemAt(
      ['backup', 'advertiseAddress'],
      'is for servers that share a database: name a PostgreSQL as "database", or leave it out',
    ),
  ]
}
