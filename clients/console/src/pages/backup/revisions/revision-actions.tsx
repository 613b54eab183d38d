import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { momentText } from '../../../format.ts'
import { texts as shared } from '../../../texts.ts'
import { ActionProgress } from '../action-progress.tsx'
import { type Revision, root, useComputer, volumeName } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.revisionActions

/** What can be done with a revision: restored, proved, verified, compared with a disk, deleted. */
export function RevisionActions({ revision }: { readonly revision: Revision }) {
  const { account, computer, client, path } = useComputer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'verify' | 'compare' | 'delete'>()
  const [action, setAction] = useState<string>()
  const params = { path: { ...path, id: String(revision.Id) } }
  const closed = () => setAsked(undefined)
  const changed = () => queries.invalidateQueries({ queryKey: ['backup'] })
  const onSuccess = ({ data: { id } }: { readonly data: { readonly id: string } }) => {
    setAction(id)
    closed()
  }
  const verification = useMutation({
    mutationFn: (samplePercent: number) =>
      answer(
        client.POST(`${root}/revisions/{id}/verify`, {
          params,
          body: samplePercent === 100 ? {} : { samplePercent },
        }),
      ),
    onSuccess,
  })
  const comparison = useMutation({
    mutationFn: (disk: string) =>
      answer(client.POST(`${root}/revisions/{id}/compare`, { params, body: { path: disk } })),
    onSuccess,
  })
  const deletion = useMutation({
    mutationFn: () => answer(client.DELETE(`${root}/revisions/{id}`, { params })),
    async onSuccess() {
      await navigate({ to: '/backup/computers/$account/$computer', params: { account, computer } })
      await changed()
    },
  })
  const pinning = useMutation({
    mutationFn: () =>
      answer(
        revision.Pinned
          ? client.DELETE(`${root}/revisions/{id}/pin`, { params })
          : client.POST(`${root}/revisions/{id}/pin`, { params }),
      ),
    onSuccess: changed,
  })
  const answerIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    return String(new FormData(event.currentTarget).get('value'))
  }
  return (
    <>
      <Group mt="md" mb="md">
        <Link
          className="action-link"
          to="/backup/computers/$account/$computer/restore"
          params={{ account, computer }}
          search={{ revision: revision.Id }}
        >
          {texts.restore}
        </Link>
        {revision.IsBoot && (
          <Link
            className="action-link"
            data-quiet
            to="/backup/computers/$account/$computer/restore"
            params={{ account, computer }}
            search={{ revision: revision.Id, where: 'proof' }}
          >
            {texts.prove}
          </Link>
        )}
        <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('verify')}>
          {texts.verify}
        </Button>
        <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('compare')}>
          {texts.compare}
        </Button>
        <Button variant="default" loading={pinning.isPending} onClick={() => pinning.mutate()}>
          {revision.Pinned ? texts.unpin : texts.pin}
        </Button>
        <Button
          variant="default"
          disabled={revision.Pinned}
          aria-haspopup="dialog"
          onClick={() => setAsked('delete')}
        >
          {texts.delete}
        </Button>
      </Group>
      {pinning.error && <Failure error={pinning.error} title={shared.refused} />}
      {action && <ActionProgress key={action} id={action} onEnd={() => void changed()} />}
      {asked === 'verify' && (
        <Dialog title={texts.verify} onClose={closed}>
          <form onSubmit={(event) => verification.mutate(Number(answerIn(event)))}>
            <Stack>
              <p>{texts.verifyMeans}</p>
              <NativeSelect
                name="value"
                label={texts.howMuch}
                data={[100, 50, 10, 1].map((percent) => ({
                  value: String(percent),
                  label: texts.share(percent),
                }))}
              />
              {verification.error && <Failure error={verification.error} title={shared.refused} />}
              <Buttons label={texts.verify} isPending={verification.isPending} onClose={closed} />
            </Stack>
          </form>
        </Dialog>
      )}
      {asked === 'compare' && (
        <Dialog title={texts.compare} onClose={closed}>
          <form onSubmit={(event) => comparison.mutate(answerIn(event))}>
            <Stack>
              <p>{texts.compareMeans}</p>
              <TextInput name="value" label={texts.disk} required placeholder="/srv/restored/files01.vhdx" />
              {comparison.error && <Failure error={comparison.error} title={shared.refused} />}
              <Buttons label={texts.compare} isPending={comparison.isPending} onClose={closed} />
            </Stack>
          </form>
        </Dialog>
      )}
      {asked === 'delete' && (
        <Confirm
          title={texts.delete}
          action={texts.delete}
          isPending={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={closed}
        >
          <p>{texts.deleteLoss(volumeName(revision), momentText(revision.DateTime))}</p>
        </Confirm>
      )}
    </>
  )
}

function Buttons({
  label,
  isPending,
  onClose,
}: {
  readonly label: string
  readonly isPending: boolean
  readonly onClose: () => void
}) {
  return (
    <Group>
      <Button type="submit" loading={isPending}>
        {label}
      </Button>
      <Button variant="default" onClick={onClose}>
        {shared.cancel}
      </Button>
    </Group>
  )
}
