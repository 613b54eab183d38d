import { Button } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { revisionQuery, root, useComputer, volumeName } from '../data.ts'
import { texts as all } from '../texts.ts'
import { type Draft, retentionOf } from './draft.ts'

const texts = all.retention
/** So many of the revisions that would go are shown one by one. */
const shownMax = 100

/** Which revisions would be deleted by what is in the form now. Nothing is deleted by looking. */
export function RetentionPreview({ set, draft }: { readonly set: string; readonly draft: Draft }) {
  const { client, path } = useComputer()
  const preview = useMutation({
    async mutationFn() {
      const retention = retentionOf(draft)
      const { data } = await answer(
        client.POST(`${root}/backupsets/{id}/retention`, {
          params: { path: { ...path, id: set } },
          body: retention === undefined ? {} : { retention },
        }),
      )
      return data
    },
  })
  const isWithout = retentionOf(draft) === undefined
  return (
    <div>
      <Button
        variant="default"
        mt="sm"
        loading={preview.isPending}
        disabled={isWithout}
        onClick={() => preview.mutate()}
      >
        {texts.show}
      </Button>
      {isWithout && <p className="quiet note">{texts.keepsAll}</p>}
      {preview.error && <Failure error={preview.error} />}
      {preview.data && !isWithout && (
        <section aria-label={texts.title} aria-live="polite">
          <p>
            <strong>{texts.outcome(preview.data.deleted.length, preview.data.kept.length)}</strong>
          </p>
          <ul>
            {preview.data.deleted.slice(0, shownMax).map((id) => (
              <li key={id}>
                <Leaving id={id} />
              </li>
            ))}
          </ul>
          {preview.data.deleted.length > shownMax && (
            <p>{texts.andMore(preview.data.deleted.length - shownMax)}</p>
          )}
        </section>
      )}
    </div>
  )
}

function Leaving({ id }: { readonly id: number }) {
  const at = useComputer()
  const { data } = useQuery({ ...revisionQuery(at, id), staleTime: 60_000 })
  return (
    <>
      {texts.revision(id)}
      {data && (
        <>
          : <Time at={data.DateTime} /> {volumeName(data)}
        </>
      )}
    </>
  )
}
