import { Option } from '@commander-js/extra-typings'
import { answer, originalOf, sizeOn } from '@palisade/sdk'
import { connectToBackup, UsageError } from '../connection.ts'
import { say } from '../output.ts'
import { chooseHost } from './choose-host.ts'
import { computerCommand, machineCommand, pathOf, positiveInteger } from './computer-command.ts'
import { followRestore } from './restores.ts'
import { describeVolume } from './revisions.ts'

/** `palisade backup restore-machine`: from revisions to a machine that runs. */
export function restoreMachine() {
  return machineCommand('restore-machine', {
    operations: [],
    examples: [
      'restore-machine --revision 12 14 --name files01-test',
      'restore-machine --revision 12 14 --name files01 --switch bridge:br0 --instant',
    ],
  })
    .description('make a virtual machine of revisions, and start it')
    .requiredOption('--name <name>', 'what the machine is called')
    .option(
      '--switch <switch>',
      'the id or name of the switch that it is attached to; without one it has no network',
    )
    .option('--to <folder>', 'where its disks go; the place that the host offers when left out')
    .addOption(
      new Option('--format <format>', 'disk format; vhdx where the host has it').choices([
        'vhd',
        'vhdx',
      ] as const),
    )
    .addOption(
      new Option('--firmware <firmware>', 'that of the machine that was backed up when left out').choices([
        'bios',
        'uefi',
      ] as const),
    )
    .option(
      '--cores <number>',
      'as the machine that was backed up, as far as the host has them',
      positiveInteger,
    )
    .option('--memory <mebibytes>', 'the same; half of what is free where the host has less', positiveInteger)
    .option('--no-start', 'leave the machine off')
    .option('--instant', 'start it at once, before its disks are copied, where the host can')
    .option('--skip-validations', 'make no validations; the host may still refuse the machine')
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const host = await chooseHost(client, path, options.host)
      const original = await originalOf(client, path, options.revision)
      const { settings, capabilities } = host
      const firmware = options.firmware ?? (original?.firmwareType === 'Uefi' ? 'uefi' : 'bios')
      const { cores, memory } = sizeOn(settings, original)
      const format = options.format ?? (capabilities.supportsVhdxFormat ? 'vhdx' : 'vhd')
      const virtualSwitchId = switchIdOf(options.switch, settings.virtualSwitches)
      const started = await client.POST(
        '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/vm',
        {
          params: { path },
          body: {
            sessionId: host.sessionId,
            hostId: host.id,
            recoveryType: virtualSwitchId === undefined ? 'TestRecovery' : 'ProductionRecovery',
            diskLocation: { path: options.to ?? settings.virtualDisksPath },
            diskFormat: format === 'vhd' ? 'Vhd' : 'Vhdx',
            firmwareType: firmware === 'uefi' ? 'Uefi' : 'Bios',
            hostProperties: {
              name: options.name,
              cores: options.cores ?? cores,
              memory: options.memory ?? memory,
              ...(virtualSwitchId === undefined ? {} : { virtualSwitchId }),
            },
            revisions: options.revision,
            skipValidations: options.skipValidations ?? false,
            start: options.start,
            instantStart: options.instant ?? false,
          },
        },
      )
      await followRestore(client, path, started, options, ({ machine, volumes, files }) =>
        [
          ...volumes.map(describeVolume),
          `machine ${machine?.name} (${machine?.id}) ${machine?.state.toLowerCase()}`,
          ...files,
        ].join('\n'),
      )
    })
}

/** `palisade backup remove-machine`: what became of a restore, running or not, goes with its disks. */
export function removeMachine() {
  return computerCommand('remove-machine', {
    operations: ['removeMachine'],
    examples: ['remove-machine --machine 5e0f2a41-6c3d-4b7e-8f90-a1b2c3d4e5f6'],
  })
    .description('remove the machine that a restore made, with its disks')
    .requiredOption('--machine <id>', 'as it was said when the machine was made')
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = { ...pathOf(options), id: options.machine }
      await answer(
        client.DELETE('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}/machine', {
          params: { path },
        }),
      )
      say(`Machine ${options.machine} is gone, with its disks.`, options)
    })
}

function switchIdOf(
  wanted: string | undefined,
  switches: readonly { readonly id: string; readonly name: string }[],
): string | undefined {
  if (wanted === undefined) return undefined
  const virtualSwitch = switches.find(({ id, name }) => id === wanted || name === wanted)
  if (virtualSwitch !== undefined) return virtualSwitch.id
  const names = switches.map(({ name }) => name).join(', ')
  throw new UsageError(`The host has no switch ${wanted}; it has ${names || 'none'}.`)
}
