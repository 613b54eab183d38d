import './settings.css'
import { Alert, Button, Group, Loader, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type Differences, DifferencesView } from './differences.tsx'
import { type Members, useManagement } from './management.ts'
import { texts as all } from './texts.ts'

const texts = all.checkpoints
const collection = 'configuration-checkpoints'

/** States of the configuration that are kept: made, compared with what is now, and gone back to. */
export function CheckpointsPage() {
  const management = useManagement()
  const checkpoints = useQuery({
    queryKey: ['firewall', collection],
    queryFn: () => management.list(collection),
  })
  const [done, setDone] = useState<string>()
  const isAllowed = mayChange(useSession(), 'firewall')
  if (checkpoints.isError)
    return <Failure error={checkpoints.error} tryAgain={() => void checkpoints.refetch()} />
  if (!checkpoints.data) return <Loader aria-label={shared.loading} />
  const newestFirst = checkpoints.data.toSorted(([, one], [, other]) =>
    String(other.date).localeCompare(String(one.date)),
  )
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <p>{texts.introduction}</p>
      {isAllowed && <MakeCheckpoint />}
      {done !== undefined && (
        <Alert
          color="green"
          role="status"
          title={isDeletion(done) ? texts.deletionUndone : `${texts.rolledBack} ${done}.`}
          mb="md"
        />
      )}
      {newestFirst.length === 0 && <p>{texts.none}</p>}
      <ol className="checkpoints">
        {newestFirst.map(([name, checkpoint]) => (
          <CheckpointItem key={name} name={name} checkpoint={checkpoint} onRolledBack={() => setDone(name)} />
        ))}
      </ol>
      <SameCall palisade="palisade firewall checkpoints list" path={`/firewall/restapi/v3.2/${collection}`} />
    </>
  )
}

function MakeCheckpoint() {
  const management = useManagement()
  const queries = useQueryClient()
  const creation = useMutation({
    mutationFn: (body: object) => management.change('POST', collection, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['firewall', collection] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    creation.mutate(Object.fromEntries(new FormData(form)), { onSuccess: () => form.reset() })
  }
  return (
    <form onSubmit={submit} aria-label={texts.make}>
      <Group align="end" mb="md">
        <TextInput name="name" label={texts.name} description={texts.nameHelp} required />
        <TextInput name="comment" label={texts.comment} maxLength={256} />
        <Button type="submit" color="blue.8" loading={creation.isPending}>
          {texts.make}
        </Button>
      </Group>
      {creation.error && <Failure error={creation.error} title={shared.refused} />}
    </form>
  )
}

type Question = 'compare' | 'roll back' | 'delete'

function CheckpointItem({
  name,
  checkpoint,
  onRolledBack,
}: {
  readonly name: string
  readonly checkpoint: Members
  readonly onRolledBack: () => void
}) {
  const [question, setQuestion] = useState<Question>()
  const isAllowed = mayChange(useSession(), 'firewall')
  const close = () => setQuestion(undefined)
  return (
    <li className="checkpoint" aria-label={name}>
      <div>
        <strong>{name}</strong> {String(checkpoint.comment ?? '')}
        <div className="setting-help">
          <Time at={String(checkpoint.date)} /> {texts.by} {String(checkpoint.administrator)}
          {checkpoint.automatic === 'Yes' && `, ${texts.automatic}`}
        </div>
      </div>
      <Group gap="xs">
        <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setQuestion('compare')}>
          {texts.compare}
        </Button>
        {isAllowed && (
          <>
            <Button
              variant="default"
              size="xs"
              aria-haspopup="dialog"
              onClick={() => setQuestion('roll back')}
            >
              {texts.rollBack}
            </Button>
            <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setQuestion('delete')}>
              {texts.remove}
            </Button>
          </>
        )}
      </Group>
      {question === 'compare' && (
        <Dialog title={`${texts.since} ${name}`} onClose={close}>
          <DifferencesSince name={name} />
          <Group mt="md">
            <Button variant="default" onClick={close}>
              {texts.close}
            </Button>
          </Group>
        </Dialog>
      )}
      {question === 'roll back' && <RollBack name={name} onRolledBack={onRolledBack} onClose={close} />}
      {question === 'delete' && <RemoveCheckpoint name={name} onClose={close} />}
    </li>
  )
}

/** Whether the checkpoint holds what was deleted once, and nothing else. */
function isDeletion(name: string): boolean {
  return name.startsWith('automatic-deletion-')
}

function addressOf(name: string): string {
  return `${collection}/${encodeURIComponent(name)}`
}

function DifferencesSince({ name }: { readonly name: string }) {
  const management = useManagement()
  const differences = useQuery({
    queryKey: ['firewall', collection, name, 'differences'],
    queryFn: async () => (await management.get(`${addressOf(name)}/differences`)) as Differences,
  })
  if (differences.isError) return <Failure error={differences.error} />
  if (!differences.data) return <Loader aria-label={shared.loading} />
  return <DifferencesView differences={differences.data} />
}

function RollBack({
  name,
  onRolledBack,
  onClose,
}: {
  readonly name: string
  readonly onRolledBack: () => void
  readonly onClose: () => void
}) {
  const management = useManagement()
  const queries = useQueryClient()
  const rollback = useMutation({
    mutationFn: () => management.change('POST', `${addressOf(name)}/rollback`, { 'dry-run': 'No' }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['firewall'] })
      onRolledBack()
      onClose()
    },
  })
  return (
    <Confirm
      title={`${texts.rollBackTo} ${name}?`}
      action={texts.rollBack}
      isPending={rollback.isPending}
      error={rollback.error}
      onConfirm={() => rollback.mutate()}
      onClose={onClose}
    >
      <p>{isDeletion(name) ? texts.rollBackDeletionWhy : texts.rollBackWhy}</p>
      <DifferencesSince name={name} />
    </Confirm>
  )
}

function RemoveCheckpoint({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const management = useManagement()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () => management.change('DELETE', addressOf(name)),
    async onSuccess() {
      onClose()
      await queries.invalidateQueries({ queryKey: ['firewall', collection] })
    },
  })
  return (
    <Confirm
      title={`${texts.removeTitle} ${name}?`}
      action={texts.remove}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeWhy}</p>
    </Confirm>
  )
}
