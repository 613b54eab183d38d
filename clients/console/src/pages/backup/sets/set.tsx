import { Button, Checkbox, Group, Loader, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { answer, shellWord } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { texts as shared } from '../../../texts.ts'
import { computerOptions, root, setsQuery, useComputer, useMayChange } from '../data.ts'
import { texts as all } from '../texts.ts'
import { type Draft, definitionOf, draftOf, newDraft, retentionMembers } from './draft.ts'
import { ProofFields } from './proof-fields.tsx'
import { RetentionPreview } from './retention-preview.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { VolumeFields } from './volume-fields.tsx'

const texts = all.set

/** Makes or changes a backup set: what, when, and for how long it is kept. */
export function SetPage() {
  const at = useComputer()
  const { account, computer } = at
  const id = String(useParams({ strict: false }).set)
  const sets = useQuery({ ...setsQuery(at), refetchOnWindowFocus: false })
  if (sets.isError) return <Failure error={sets.error} tryAgain={() => void sets.refetch()} />
  if (!sets.data) return <Loader aria-label={shared.loading} />
  const set = sets.data.find((one) => one.id === id)
  const isNew = id === 'new'
  if (set === undefined && !isNew) return <p>{texts.none}</p>
  return (
    <>
      <h1 className="page-title">{isNew ? texts.newTitle : texts.title(set?.name ?? '')}</h1>
      {isNew && <p className="quiet">{texts.lead}</p>}
      <SetForm
        key={id}
        id={isNew ? undefined : id}
        before={set === undefined ? newDraft(sets.data.length === 0 ? texts.firstName : '') : draftOf(set)}
      />
      <SameCall
        palisade={
          isNew
            ? `palisade backup sets create nightly ${computerOptions({ account, computer })}`
            : `palisade backup sets show ${shellWord(id)} ${computerOptions({ account, computer })}`
        }
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/backupsets${isNew ? '' : `/${id}`}`}
      />
    </>
  )
}

function SetForm({ id, before }: { readonly id: string | undefined; readonly before: Draft }) {
  const { account, computer, client, path } = useComputer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isAllowed = useMayChange()
  const [draft, setDraft] = useState(before)
  const change = (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part }))
  const save = useMutation({
    async mutationFn() {
      const body = definitionOf(draft)
      if (id === undefined) {
        await answer(client.POST(`${root}/backupsets`, { params: { path }, body }))
      } else {
        await answer(client.PUT(`${root}/backupsets/{id}`, { params: { path: { ...path, id } }, body }))
      }
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['backup', 'sets'] })
      await navigate({ to: '/backup/computers/$account/$computer/sets', params: { account, computer } })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="set-form">
      <fieldset className="bare" disabled={!isAllowed} aria-label={texts.legend}>
        <Stack>
          <TextInput
            label={texts.name}
            value={draft.name}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
            maw="24rem"
            required
          />
          <VolumeFields draft={draft} onChange={change} />
          <ScheduleFields draft={draft} onChange={change} />
          <fieldset className="fields">
            <legend>{texts.keep}</legend>
            <p className="quiet note">{texts.keepMeans}</p>
            <Group>
              {retentionMembers.map((member) => (
                <TextInput
                  key={member}
                  type="number"
                  min={member === 'keepLast' ? 1 : 0}
                  label={texts.kept[member]}
                  value={draft.keep[member]}
                  required={member === 'keepLast' && Object.values(draft.keep).some((count) => count !== '')}
                  onChange={({ currentTarget: { value } }) =>
                    change({ keep: { ...draft.keep, [member]: value } })
                  }
                  w="9rem"
                />
              ))}
            </Group>
            {id !== undefined && isAllowed && <RetentionPreview set={id} draft={draft} />}
          </fieldset>
          <fieldset className="fields">
            <legend>{texts.verify}</legend>
            <Stack gap="sm">
              <Checkbox
                label={texts.verifyAfterBackup}
                checked={draft.verifyAfterBackup}
                onChange={({ currentTarget: { checked } }) => change({ verifyAfterBackup: checked })}
              />
              <TextInput
                type="number"
                min={1}
                w="18rem"
                label={texts.verifyEvery}
                value={draft.verifyEveryDays}
                onChange={({ currentTarget: { value } }) => change({ verifyEveryDays: value })}
              />
              <ProofFields draft={draft} onChange={change} />
            </Stack>
          </fieldset>
          {save.error && <Failure error={save.error} title={shared.refused} />}
          {isAllowed && (
            <Group>
              <Button type="submit" loading={save.isPending}>
                {id === undefined ? texts.make : shared.save}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}
