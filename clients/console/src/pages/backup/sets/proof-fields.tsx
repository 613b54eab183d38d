import { Group, NativeSelect, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { root, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'
import type { Draft } from './draft.ts'

const texts = all.set

/** How often it is proved that a machine of the newest revisions starts, and on which registered host. */
export function ProofFields({
  draft: { proveEveryDays, hostId, proveSign },
  onChange,
}: {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}) {
  const { client, path } = useComputer()
  const { data: hosts = [] } = useQuery({
    queryKey: ['backup', 'hosts', path],
    queryFn: () => answer(client.GET(`${root}/restore/hyperv/hosts`, { params: { path } })),
  })
  if (hosts.length === 0 && hostId === '') return <p className="quiet note">{texts.proveNeedsHost}</p>
  return (
    <Group align="end">
      <TextInput
        type="number"
        min={1}
        w="18rem"
        label={texts.proveEvery}
        value={proveEveryDays}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            proveEveryDays: value,
            hostId: hostId === '' ? String(hosts[0]?.identifier.id ?? '') : hostId,
          })
        }
      />
      <NativeSelect
        label={texts.proveOn}
        value={hostId}
        onChange={({ currentTarget: { value } }) => onChange({ hostId: value })}
        data={hosts.map(({ identifier, hostName }) => ({ value: String(identifier.id), label: hostName }))}
      />
      <TextInput
        label={texts.proveSign}
        description={texts.proveSignHint}
        value={proveSign}
        onChange={({ currentTarget: { value } }) => onChange({ proveSign: value })}
        w="24rem"
      />
    </Group>
  )
}
