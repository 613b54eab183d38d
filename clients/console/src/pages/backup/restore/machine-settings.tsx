import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { type BackupSchemas, sizeOn } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { texts as shared } from '../../../texts.ts'
import { computerQuery, root, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'
import { Checks, useChecks } from './checks.tsx'
import { machineChecks } from './machine-checks.ts'
import { useBegin } from './use-begin.ts'

const texts = all.machineForm

type Schemas = BackupSchemas['schemas']

/** A registered host with what it offers now. */
export interface OfferedHost {
  readonly id: number
  readonly sessionId: string
  readonly settings: Schemas['HostSettings']
  readonly capabilities: Schemas['HostCapabilities']
}

/** What a machine is made with. Everything has an answer already: that of the machine that was backed up. */
export function MachineSettings({
  host,
  original,
  revisions,
  isProof,
}: {
  readonly host: OfferedHost
  /** The machine that was backed up; undefined where no revision knows it. */
  readonly original: Schemas['HardwareConfiguration'] | undefined
  readonly revisions: readonly number[]
  readonly isProof: boolean
}) {
  const at = useComputer()
  const { client, path } = at
  const { settings, capabilities } = host
  const { outcomes, start, hasRefusal } = useChecks()
  const begin = useBegin()
  const { data: computer } = useQuery(computerQuery(at))
  const [isSkipping, setIsSkipping] = useState(false)
  const { cores, memory } = sizeOn(settings, original)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const proof = isProof ? texts.proofName(computer?.name ?? at.computer) : undefined
    const body = wishOf(new FormData(event.currentTarget), { host, revisions, proof, isSkipping })
    start.mutate({
      checks: isSkipping ? [] : machineChecks(client, path, body),
      begin: () => begin(client.POST(`${root}/restore/diskimage/standard/vm`, { params: { path }, body })),
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack mt="md">
        {!isProof && (
          <>
            <TextInput
              name="name"
              label={texts.name}
              defaultValue={texts.defaultName(computer?.name ?? at.computer)}
              required
            />
            <NativeSelect
              name="switch"
              label={texts.network}
              description={texts.networkHint}
              data={[
                { value: '', label: texts.noNetwork },
                ...settings.virtualSwitches.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </>
        )}
        <details>
          <summary>{texts.more}</summary>
          <Stack mt="sm">
            <TextInput name="folder" label={texts.folder} defaultValue={settings.virtualDisksPath} required />
            <Group>
              <NativeSelect
                name="format"
                label={texts.format}
                data={capabilities.supportsVhdxFormat ? ['Vhdx', 'Vhd'] : ['Vhd']}
              />
              <NativeSelect
                name="firmware"
                label={texts.firmware}
                defaultValue={original?.firmwareType ?? 'Bios'}
                data={[
                  { value: 'Bios', label: texts.bios },
                  ...(capabilities.supportsVmGenerations ? [{ value: 'Uefi', label: texts.uefi }] : []),
                ]}
              />
              <TextInput
                type="number"
                name="cores"
                label={texts.cores}
                defaultValue={String(cores)}
                min={settings.processorAllocation.minimum}
                max={settings.processorAllocation.maximum}
                w="9rem"
                required
              />
              <TextInput
                type="number"
                name="memory"
                label={texts.memory}
                defaultValue={String(memory)}
                min={settings.memoryAllocation.minimum}
                max={settings.memoryAllocation.maximum}
                step={settings.memoryAllocation.increment}
                w="12rem"
                required
              />
            </Group>
            {isProof ? (
              <>
                <TextInput
                  type="number"
                  name="timeout"
                  min={1}
                  label={texts.timeout}
                  defaultValue="600"
                  w="14rem"
                />
                <TextInput name="sign" label={texts.sign} description={texts.signHint} />
              </>
            ) : (
              <>
                <Checkbox name="start" label={texts.start} defaultChecked />
                <Checkbox name="instant" label={texts.instant} description={texts.instantHint} />
              </>
            )}
          </Stack>
        </details>
        <Checks outcomes={outcomes} />
        {hasRefusal && (
          <Checkbox
            label={texts.skip}
            description={texts.skipHint}
            checked={isSkipping}
            onChange={({ currentTarget: { checked } }) => setIsSkipping(checked)}
          />
        )}
        {start.error && <Failure error={start.error} title={shared.refused} />}
        <Button type="submit" size="md" loading={start.isPending}>
          {isProof ? texts.beginProof : texts.begin}
        </Button>
      </Stack>
    </form>
  )
}

/** What the service is asked for, by the form. */
function wishOf(
  form: FormData,
  {
    host,
    revisions,
    proof,
    isSkipping,
  }: {
    readonly host: OfferedHost
    readonly revisions: readonly number[]
    /** The name of the machine of a proof; undefined for one that stays. */
    readonly proof: string | undefined
    readonly isSkipping: boolean
  },
): Schemas['MachineRestore'] {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const virtualSwitchId = text('switch')
  const seconds = text('timeout')
  const sign = text('sign')
  return {
    sessionId: host.sessionId,
    hostId: host.id,
    recoveryType: virtualSwitchId === '' ? 'TestRecovery' : 'ProductionRecovery',
    diskLocation: { path: text('folder') },
    diskFormat: text('format') === 'Vhd' ? 'Vhd' : 'Vhdx',
    firmwareType: text('firmware') === 'Uefi' ? 'Uefi' : 'Bios',
    hostProperties: {
      name: proof ?? text('name'),
      cores: Number(text('cores')),
      memory: Number(text('memory')),
      ...(virtualSwitchId === '' ? {} : { virtualSwitchId }),
    },
    revisions: [...revisions],
    skipValidations: isSkipping,
    ...(proof !== undefined
      ? {
          prove: true,
          ...(seconds === '' ? {} : { proveTimeoutSeconds: Number(seconds) }),
          ...(sign === '' ? {} : { proveSign: sign }),
        }
      : { start: form.has('start'), instantStart: form.has('instant') }),
  }
}
