import { Button, Loader, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { texts as shared } from '../../../texts.ts'
import { computerQuery, root, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'
import { Checks, useChecks } from './checks.tsx'
import { useBegin } from './use-begin.ts'

const texts = all.disksForm
const validations = `${root}/restore/diskimage/standard/vm/validate` as const

/** Where the disks go, as files: a folder of the computer, or a share that it reaches. */
export function DisksForm({
  revisions,
  isShare,
}: {
  readonly revisions: readonly number[]
  readonly isShare: boolean
}) {
  const at = useComputer()
  const { client, path: computerPath } = at
  const { outcomes, start } = useChecks()
  const begin = useBegin()
  const places = useId()
  const { data: computer, isPending } = useQuery(computerQuery(at))
  const allowed = (computer?.restoreTo ?? []).filter((place) => place.startsWith('//') === isShare)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    const path = text('path').trim()
    const diskFormat = text('format') === 'Vhd' ? ('Vhd' as const) : ('Vhdx' as const)
    const username = text('username')
    const password = text('password')
    const params = { path: computerPath }
    const diskLocation = {
      path,
      ...(username === '' ? {} : { credentials: { userName: username, password } }),
    }
    start.mutate({
      checks: [
        {
          name: 'path',
          look: () => answer(client.POST(`${validations}/path`, { params, body: { diskLocation } })),
        },
        {
          name: 'format',
          look: () =>
            answer(client.POST(`${validations}/network`, { params, body: { diskLocation, diskFormat } })),
        },
      ],
      begin: () =>
        begin(
          client.POST(`${root}/restore/diskimage/standard/vhd`, {
            params,
            body: {
              destination: { path, ...(username === '' ? {} : { credentials: { username, password } }) },
              diskFormat,
              revisions: [...revisions],
            },
          }),
        ),
    })
  }
  // What the field begins with has to be there before anybody types.
  if (isPending) return <Loader aria-label={shared.loading} />
  return (
    <form onSubmit={submit}>
      <Stack mt="md">
        <TextInput
          name="path"
          label={isShare ? texts.share : texts.folder}
          description={isShare ? texts.shareHint : texts.folderHint}
          placeholder={isShare ? '//nas/backups/restored' : '/srv/restored'}
          defaultValue={allowed[0] ?? ''}
          list={places}
          required
        />
        <datalist id={places}>
          {allowed.map((place) => (
            <option key={place} value={place} />
          ))}
        </datalist>
        {isShare && (
          <>
            <TextInput name="username" label={texts.username} autoComplete="off" />
            <PasswordInput name="password" label={texts.password} autoComplete="off" />
          </>
        )}
        <NativeSelect
          name="format"
          label={texts.format}
          data={[
            { value: 'Vhdx', label: texts.vhdx },
            { value: 'Vhd', label: texts.vhd },
          ]}
        />
        <Checks outcomes={outcomes} />
        {start.error && <Failure error={start.error} title={shared.refused} />}
        <Button type="submit" size="md" loading={start.isPending}>
          {texts.start(revisions.length)}
        </Button>
      </Stack>
    </form>
  )
}
