import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import type { CompiledCatalogue } from '../../kinds/compiled-kind.ts'
import type { Values } from '../../kinds/values.ts'

/** What the configuration says about backups: the members of its object `backup`. */
export function backupSettings(configuration: LiveConfiguration, catalogue: CompiledCatalogue): Values {
  const kind = catalogue.get('configuration-backup')
  return (kind && configuration.snapshot.object(kind, [kind.title])?.content.values) ?? {}
}
