import { problemsOfAdministration } from '@palisade/administration'
import { problemsOfAwareness } from '@palisade/awareness'
import { problemsOfBackup } from '@palisade/backup'
import { problemsOfEmail } from '@palisade/email'
import { problemsOfFirewall } from '@palisade/firewall'
import type { Problem } from '@palisade/platform'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Check } from 'typebox/value'
import { problemsOfCertificate } from './certificates.ts'
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
  const { firewall, services, administration, awareness, backup, email } = parts
  const whereOfForm = <Properties extends TProperties>(
    properties: Properties,
    problemsOf: (value: Static<TObject<Properties>>) => readonly Problem[],
  ) => (Check(Type.Object(properties), configuration) ? problemsOf(configuration) : [])
  return [
    ...whereOfForm({ firewall, services }, problemsOfListeners),
    ...whereOfForm({ services }, (given) => problemsOfTrustedProxies(given.services)),
    ...whereOfForm({ firewall }, (given) => problemsOfFirewall(given.firewall)),
    ...whereOfForm({ administration }, (given) => problemsOfAdministration(given.administration)),
    ...whereOfForm({ awareness }, (given) => problemsOfAwareness(given.awareness)),
    // Another server may serve the backups by a configuration of its own.
    ...whereOfForm({ backup }, (given) => (given.backup.serve ? problemsOfBackup(given.backup) : [])),
    ...whereOfForm({ email }, (given) => problemsOfEmail(given.email)),
    ...(readsFiles
      ? [
          ...whereOfForm({ firewall }, (given) => problemsOfCertificate('firewall', given.firewall)),
          ...whereOfForm({ services }, (given) => problemsOfCertificate('services', given.services)),
        ]
      : []),
  ]
}
