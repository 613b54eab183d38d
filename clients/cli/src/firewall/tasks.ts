import { examples } from '../api-command.ts'
import { printList } from '../output.ts'
import { managementCommand, objectsOf, withManagement } from './management.ts'

/** `palisade firewall tasks [ID]`. */
export function tasksCommand() {
  return managementCommand('tasks', 'listRunningTasks')
    .description('list imports, rollbacks and restores that run, and what became of the last ones')
    .argument('[id]', 'one task')
    .addHelpText('after', examples('palisade firewall tasks', 'palisade firewall tasks --output json'))
    .action(async (id, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) =>
        management.call('GET', 'ops/running-tasks', { query: { job_id: id } }),
      )
      printList(
        objectsOf(reply).map(([, task]) => task),
        [
          ['id', ({ job_id }) => job_id],
          ['what', ({ operation }) => operation],
          ['state', ({ state }) => state],
          ['administrator', ({ administrator }) => administrator],
          ['started', ({ started }) => started],
          ['finished', ({ finished }) => finished],
        ],
        options,
      )
    })
}
