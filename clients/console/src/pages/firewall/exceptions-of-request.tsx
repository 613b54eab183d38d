import { Stack } from '@mantine/core'
import { Accepted, Exceptions } from './exceptions.tsx'
import type { RefusedRequest } from './refused-request.ts'
import { StoredRequestsTrial } from './stored-requests-trial.tsx'
import { texts as all } from './texts.ts'

const texts = all.exceptions

/** What would have to change for a request to pass, where it was harmless. */
export function ExceptionsOfRequest({ request }: { readonly request: RefusedRequest }) {
  const { proposals, exceptions } = request
  const needed = proposals.filter(({ id }) => exceptions.includes(id))
  const accepted = proposals.filter((proposal) => proposal.accepted === 'Yes')
  return (
    <section aria-label={texts.title}>
      <h2 className="section-title">{texts.title}</h2>
      {needed.length > 0 && <p>{texts.smallest(needed.length)}</p>}
      {needed.length === 0 && <p>{statusOf(request)}</p>}
      {needed.length > 0 && <StoredRequestsTrial request={request.id} />}
      <Stack gap="sm">
        {needed.length > 0 && <Exceptions service={request.service} needed={needed} />}
        {accepted.map((proposal) => (
          <Accepted key={proposal.id} service={request.service} proposal={proposal} />
        ))}
      </Stack>
    </section>
  )
}

function statusOf(request: RefusedRequest): string {
  if (request['passes-now'] === 'Yes') return texts.passes
  const wasRefused = request.action !== 'LOG' || request.score !== ''
  return wasRefused ? texts.none : texts.notRefused
}
