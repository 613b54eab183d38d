import { Button, Group, Paper, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import './firewall.css'
import { groupsOf, type Proposal, type ProposalGroup } from './refused-request.ts'
import { Replay } from './replay.tsx'
import { texts as all } from './texts.ts'

const texts = all.exceptions

/** Exceptions that would be accepted together: what each would change, what they would have let through, and a button that creates them. */
export function Exceptions({
  service,
  needed,
}: {
  readonly service: string
  readonly needed: readonly Proposal[]
}) {
  return (
    <>
      {groupsOf(needed).map((group) => (
        <Change key={group[0].id} proposals={group} />
      ))}
      <AcceptExceptions service={service} proposals={needed} />
    </>
  )
}

/** What exceptions for the same part of the same requests change, as a sentence, with what speaks for and against them. */
export function Change({
  proposals: [first, ...others],
  title,
  children,
}: {
  readonly proposals: ProposalGroup
  /** What it is about, where that is not plain. */
  readonly title?: string
  readonly children?: ReactNode
}) {
  const together = [first, ...others]
  const rules = together.map(({ rule }) => rule)
  const looks = [...new Set(rules.map((rule) => all.lookedLike(rule, '')))]
  const against = [...new Set(together.flatMap((proposal) => proposal['speaks-against']))]
  return (
    <Paper withBorder p="md" className="exception">
      {title !== undefined && <p className="finding-title">{title}</p>}
      <p>
        {texts.rules(rules)} <strong>{rules.join(', ')}</strong> {texts.areNotApplied(rules)}{' '}
        <strong>{partOf(first)}</strong> {texts.on}{' '}
        {first.url === '/*' ? texts.everyPath : <code>{first.url}</code>}. {texts.stays}
      </p>
      <p>
        {texts.lookFor(rules)} {looks.join(', ')}. {texts.evidence(first.requests, first.clients)}
      </p>
      {against.length > 0 && (
        <details>
          <summary>
            {texts.against} ({against.length})
          </summary>
          <ul>
            {against.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </Paper>
  )
}

/** What exceptions would let through together, and the button that creates them, for those who may. */
export function AcceptExceptions({
  service,
  proposals,
}: {
  readonly service: string
  readonly proposals: readonly Proposal[]
}) {
  const session = useSession()
  const { firewall } = session
  const queries = useQueryClient()
  const [comments, setComments] = useState('')
  const isAllowed = mayChange(session, 'firewall')
  const ids = proposals.map(({ id }) => id)
  const accept = useMutation({
    async mutationFn() {
      const body = comments.trim() === '' ? {} : { comments: comments.trim() }
      for (const id of ids) {
        const path = { service, id }
        await answer(
          firewall.POST('/restapi/v3.2/services/{service}/rule-exception-proposals/{id}', {
            params: { path },
            body,
          }),
        )
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['firewall'] }),
  })
  return (
    <>
      <Replay service={service} ids={ids} />
      {isAllowed && (
        <Group align="end">
          <TextInput
            label={texts.comment}
            value={comments}
            maxLength={256}
            className="wide"
            onChange={(event) => setComments(event.currentTarget.value)}
          />
          <Button color="blue.8" loading={accept.isPending} onClick={() => accept.mutate()}>
            {texts.accept(ids.length)}
          </Button>
        </Group>
      )}
      {accept.isError && <Failure error={accept.error} title={shared.refused} />}
    </>
  )
}

/** An exception that is there, which those who may change the firewall can take back. */
export function Accepted({ service, proposal }: { readonly service: string; readonly proposal: Proposal }) {
  const session = useSession()
  const { firewall } = session
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { rule, 'rule-exception': name = '' } = proposal
  const remove = useMutation({
    mutationFn: () =>
      answer(
        firewall.DELETE('/restapi/v3.2/services/{service_id}/rule-exceptions/{rule_exception_id}', {
          params: { path: { service_id: service, rule_exception_id: name } },
        }),
      ),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['firewall'] })
      setAsking(false)
    },
  })
  return (
    <Paper withBorder p="md" className="exception" data-state="accepted">
      <p>
        <strong>{texts.acceptedAs(name)}</strong>
      </p>
      <p>
        {texts.rule(rule)} {texts.areNotApplied([rule])} {partOf(proposal)} {texts.on}{' '}
        <code>{proposal.url}</code>.
      </p>
      {mayChange(session, 'firewall') && (
        <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {texts.takeBack}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={`${texts.takeBack}?`}
          action={texts.takeBack}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.takingBack(rule)}</p>
        </Confirm>
      )}
    </Paper>
  )
}

function partOf({ target }: Proposal): string {
  return target === '' ? texts.everywhere : all.partOf(target)
}
