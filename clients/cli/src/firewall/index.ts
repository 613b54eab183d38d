import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { callsListed } from '../operations.ts'
import { suggestArguments } from '../suggestions.ts'
import { applyCommand, diffCommand, exportCommand } from './apply.ts'
import { backupsCommand } from './backups.ts'
import { certificatesCommand } from './certificates.ts'
import { checkpointsCommand } from './checkpoints.ts'
import { createCommand } from './create-object.ts'
import { deleteCommand } from './delete-objects.ts'
import { getCommand } from './get-object.ts'
import { kindsCommand } from './list-kinds.ts'
import { listCommand } from './list-objects.ts'
import { lockoutsCommand } from './lockouts.ts'
import { logsCommand } from './logs.ts'
import { openApiCommand } from './openapi.ts'
import { operationsOfKinds } from './operations-of-kinds.ts'
import { exceptionsCommand, profilesCommand } from './proposals.ts'
import { protectCommand } from './protect.ts'
import { rulesCommand } from './rules.ts'
import { setCommand } from './set-object.ts'
import { statisticsCommand } from './statistics.ts'
import { storedTrafficCommand } from './stored-traffic.ts'
import { suggestObjects } from './suggest-objects.ts'
import { tasksCommand } from './tasks.ts'

/** The commands of objects, and what follows the kind in each. */
const objectCommands = [
  ['list', listCommand, { names: 'object around', takesSection: false, takesFields: false }],
  ['get', getCommand, { names: 'object', takesSection: true, takesFields: false }],
  ['create', createCommand, { names: 'new object', takesSection: false, takesFields: true }],
  ['set', setCommand, { names: 'object', takesSection: true, takesFields: true }],
  ['delete', deleteCommand, { names: 'object', takesSection: false, takesFields: false }],
] as const

/** `palisade firewall …`: the management of the web application firewall. */
export function firewallCommand() {
  const kinds: CommandUnknownOpts = kindsCommand()
  suggestArguments(kinds, (words) =>
    suggestObjects({ names: undefined, takesSection: true, takesFields: false }, words),
  )
  const objects = objectCommands.map(([name, make, shape]): CommandUnknownOpts => {
    const command: CommandUnknownOpts = make()
    suggestArguments(command, (words) => suggestObjects(shape, words))
    callsListed(command, 'firewall', () => operationsOfKinds(name))
    return command
  })
  const firewall = new Command('firewall')
    .description('protect applications, and manage what the firewall does')
    .addCommand(protectCommand())
    .addCommand(logsCommand())
    .addCommand(exceptionsCommand())
    .addCommand(profilesCommand())
    .addCommand(storedTrafficCommand())
    .addCommand(certificatesCommand())
    .addCommand(rulesCommand())
    .addCommand(statisticsCommand())
    .addCommand(lockoutsCommand())
    .addCommand(applyCommand())
    .addCommand(diffCommand())
    .addCommand(exportCommand())
    .addCommand(checkpointsCommand())
    .addCommand(backupsCommand())
    .addCommand(openApiCommand())
    .addCommand(tasksCommand())
  for (const command of [kinds, ...objects]) firewall.addCommand(command)
  return firewall
}
