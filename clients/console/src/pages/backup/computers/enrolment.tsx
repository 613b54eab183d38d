import { Alert, Checkbox, Loader } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { answer, enrolmentCommand, readOwnCertificate } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Command } from '../../../components/command.tsx'
import { texts as shared } from '../../../texts.ts'
import { useSession } from '../../../use-session.ts'
import { refreshMs } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.enrolment
const machineOptions = ['--host', 'qemu:/var/lib/palisade-machines']
/** Browsers write IPv6 addresses in brackets. */
const host = location.hostname.replace(/^\[|\]$/g, '')
const isLoopback = /^(localhost|127\.[0-9.]+|::1)$/.test(host)

/** The command that starts the agent of a computer, with the key that is shown this once; and whether the agent has come. */
export function EnrolmentSteps({
  account,
  computer,
  enrolmentKey,
  wasOnline = false,
  hasBackups = false,
}: {
  readonly account: string
  readonly computer: string
  readonly enrolmentKey: string
  /** Whether an agent was connected when the key was made. */
  readonly wasOnline?: boolean
  /** Whether there is something to restore, for which the agent of a lost computer is started elsewhere. */
  readonly hasBackups?: boolean
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
  const certificate = useQuery({
    queryKey: ['own certificate', host],
    // Of a query undefined is no result.
    queryFn: async () => (await readOwnCertificate(location.origin, (path) => fetch(path))) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [makesMachines, setMakesMachines] = useState(hasBackups)
  const command = () =>
    enrolmentCommand({
      server: location.origin,
      account,
      computer,
      enrolmentKey,
      certificate: certificate.data ?? undefined,
      options: makesMachines ? machineOptions : [],
    })
  // Of a computer whose former agent is still connected nobody can say yet that another one has come.
  const isThere = data?.online === true && !wasOnline
  return (
    <>
      <p>{texts.run}</p>
      <Checkbox
        mb="xs"
        label={texts.makesMachines}
        checked={makesMachines}
        onChange={({ currentTarget: { checked } }) => setMakesMachines(checked)}
      />
      {certificate.isPending ? (
        <Loader size="sm" aria-label={shared.loading} />
      ) : (
        <Command line={command()} />
      )}
      {isLoopback && <p className="quiet note">{texts.loopback}</p>}
      <p className="quiet note">{texts.once}</p>
      <div aria-live="polite">
        {isThere ? (
          <Alert color="green" title={texts.online(data.hostName ?? computer)}>
            {hasBackups && (
              <p>
                <Link
                  className="link"
                  to="/backup/computers/$account/$computer/restore"
                  params={{ account, computer }}
                  search={{ where: 'machine' }}
                >
                  {texts.restore}
                </Link>
              </p>
            )}
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
