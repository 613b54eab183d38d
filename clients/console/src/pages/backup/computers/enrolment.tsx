import { Alert, Loader } from '@mantine/core'
import { answer, enrolmentCommand } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Command } from '../../../components/command.tsx'
import { useSession } from '../../../use-session.ts'
import { refreshMs } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.enrolment

/** The command that starts the agent of a computer, with the key that is shown this once; and whether the agent has come. */
export function EnrolmentSteps({
  account,
  computer,
  enrolmentKey,
  wasOnline = false,
}: {
  readonly account: string
  readonly computer: string
  readonly enrolmentKey: string
  /** Whether an agent was connected when the key was made. */
  readonly wasOnline?: boolean
}) {
  const { administration } = useSession()
  const { data } = useQuery({
    queryKey: ['backup', 'enrolment', account, computer, enrolmentKey],
    queryFn: () =>
      answer(
        administration.GET('/backup/accounts/{account}/computers/{computer}', {
          params: { path: { account, computer } },
        }),
      ),
    refetchInterval: refreshMs / 2,
  })
  // Of a computer whose former agent is still connected nobody can say yet that another one has come.
  const isThere = data?.online === true && !wasOnline
  return (
    <>
      <p>{texts.run}</p>
      <Command line={enrolmentCommand({ server: location.origin, account, computer, enrolmentKey })} />
      <p className="quiet note">{texts.once}</p>
      <div aria-live="polite">
        {isThere ? (
          <Alert color="green" title={texts.online(data.hostName ?? computer)}>
            <Link
              className="link"
              to="/backup/computers/$account/$computer/sets/$set"
              params={{ account, computer, set: 'new' }}
            >
              {texts.next}
            </Link>
          </Alert>
        ) : (
          <p className="outcome">
            <Loader size="xs" aria-hidden="true" /> {texts.waiting}
          </p>
        )}
      </div>
      <details>
        <summary>{texts.more}</summary>
        <ul>
          {texts.hints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      </details>
    </>
  )
}
