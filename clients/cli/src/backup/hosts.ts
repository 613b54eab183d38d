import { readFileSync } from 'node:fs'
import { answer, offersOf, registerHost } from '@palisade/sdk'
import { connectToBackup, UsageError } from '../connection.ts'
import { printList, printThing, say } from '../output.ts'
import { computerCommand, groupCommand, hostOption, pathOf, positiveInteger } from './computer-command.ts'

const root = '/v2/accounts/{account_id}/computers/{computer_id}/restore'

/** `palisade backup hosts`: hypervisors to which machines can be restored. */
export function hosts() {
  return groupCommand(
    'hosts',
    "hypervisors that a computer's agent reaches: list, register, capabilities, delete",
  )
    .addCommand(list(), { isDefault: true })
    .addCommand(register())
    .addCommand(capabilities())
    .addCommand(remove())
}

function list() {
  return computerCommand('list', { operations: ['listHosts'], examples: ['hosts list'] })
    .description('list the hosts that are registered')
    .action(async (options) => {
      const params = { path: pathOf(options) }
      printList(
        await answer(connectToBackup(options).GET(`${root}/hyperv/hosts`, { params })),
        [
          ['id', ({ identifier }) => identifier.id],
          ['host', ({ hostName }) => hostName],
          ['usable', ({ hostUnsupported }) => !hostUnsupported],
          ['reason', ({ hostUnsupportedMessage }) => hostUnsupportedMessage],
        ],
        options,
      )
    })
}

function register() {
  return computerCommand('register', {
    operations: ['createHostSession', 'registerLocalHost', 'registerRemoteHost'],
    examples: ['hosts register', 'hosts register --host hv02 --username backup --password-file hv02.txt'],
  })
    .description("register the hypervisor of the computer's own machine, or with --host another one")
    .addOption(hostOption)
    .option('--username <name>', 'who logs on to it there; the agent as itself when left out')
    .option('--password-file <file>', 'a file with the password of that')
    .action(async (options) => {
      const { host: hostName, username: userName, passwordFile } = options
      if ((userName === undefined) !== (passwordFile === undefined)) {
        throw new UsageError('Give both of --username and --password-file, or neither.')
      }
      if (userName !== undefined && hostName === undefined) {
        throw new UsageError("The machine's own hypervisor asks for no password: name another one by --host.")
      }
      const credentials =
        userName === undefined || passwordFile === undefined
          ? undefined
          : { userName, password: readFileSync(passwordFile, 'utf8').trim() }
      const registered = await registerHost(connectToBackup(options), pathOf(options), hostName, credentials)
      if (registered.hostUnsupported) {
        throw new UsageError(`Host ${registered.id} cannot be used: ${registered.hostUnsupportedMessage}`)
      }
      if (options.output !== undefined && options.output !== 'table') printThing(registered, options)
      else if (options.quiet) console.log(registered.id)
      else say(`${registered.hostName} is host ${registered.id}.`, options)
    })
}

function capabilities() {
  return computerCommand('capabilities', {
    operations: ['createHostSession', 'getHostSettings', 'getHostCapabilities'],
    examples: ['hosts capabilities 1'],
  })
    .description('show what a registered host can do and offers, asked of it now')
    .argument('<host>', 'its id, as "palisade backup hosts" lists it', positiveInteger)
    .action(async (id, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { sessionId } = await answer(client.POST(`${root}/hyperv/session`, { params: { path } }))
      const { settings, capabilities: can } = await offersOf(client, path, { id, sessionId })
      if (options.output !== undefined && options.output !== 'table') {
        printThing({ ...settings, ...can }, options)
        return
      }
      const { memoryAllocation: memory, processorAllocation: cores, virtualSwitches } = settings
      printThing(
        {
          disks: settings.virtualDisksPath,
          formats: can.supportsVhdxFormat ? 'vhd, vhdx' : 'vhd',
          UEFI: can.supportsVmGenerations,
          cores: `${cores.minimum} to ${cores.maximum}`,
          'MiB of memory': `${memory.minimum} to ${memory.maximum}`,
          switches: virtualSwitches.map(({ id, name }) => `${name} (${id})`).join(', '),
        },
        options,
      )
    })
}

function remove() {
  return computerCommand('delete', { operations: ['forgetHost'], examples: ['hosts delete 1'] })
    .description('register a host no more; machines there stay')
    .argument('<host>', 'its id', positiveInteger)
    .action(async (id, options) => {
      await answer(
        connectToBackup(options).DELETE(`${root}/hyperv/hosts/{id}`, {
          params: { path: { ...pathOf(options), id: String(id) } },
        }),
      )
      say(`Host ${id} is registered no more.`, options)
    })
}
