import { Button } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { Command } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { useChange } from '../../use-change.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.verification

type Domain = AdministrationSchemas['schemas']['EmailDomain']
type Facts = NonNullable<Domain['verification']>

/** What DNS must contain, and what it does contain. @param isAllowed whether whoever looks may have DNS asked now */
export function Verification({
  account,
  domain,
  isAllowed,
}: {
  readonly account: string
  readonly domain: Domain
  readonly isAllowed: boolean
}) {
  const { verification } = domain
  const isAsked = verification !== null && verification.records.length > 0
  return (
    <>
      <h2 className="section-title">{texts.title}</h2>
      {isAsked ? (
        <div className="cards">
          <Records records={verification.records} />
          <Found account={account} name={domain.name} verification={verification} isAllowed={isAllowed} />
        </div>
      ) : (
        <p className="quiet">{texts.configured}</p>
      )}
    </>
  )
}

function Records({ records }: { readonly records: Facts['records'] }) {
  return (
    <section className="card">
      <h3>{texts.records}</h3>
      <p className="quiet">{texts.oneOf}</p>
      {records.map(({ type, name, value, preference }) => (
        <dl key={`${type} ${name}`} className="facts record">
          <dt>{texts.recordType}</dt>
          <dd>{type}</dd>
          <dt>{texts.recordName}</dt>
          <dd>
            <code>{name}</code>
          </dd>
          {preference !== undefined && (
            <>
              <dt>{texts.preference}</dt>
              <dd>{preference}</dd>
            </>
          )}
          <dt>{texts.recordValue}</dt>
          <dd>
            <Command line={value} />
          </dd>
        </dl>
      ))}
    </section>
  )
}

function Found({
  account,
  name,
  verification,
  isAllowed,
}: {
  readonly account: string
  readonly name: string
  readonly verification: Facts
  readonly isAllowed: boolean
}) {
  const { email } = useSession()
  const check = useChange(
    () =>
      answer(
        email.POST('/beta/accounts/{account_id}/ess/domains/{domain}/verification/check', {
          params: { path: { account_id: account, domain: name } },
        }),
      ),
    { refresh: [['email-accounts', account]] },
  )
  const { lookedAt, nextLookAt, verifiedAt, failure } = verification
  return (
    <section className="card">
      <h3>{texts.found}</h3>
      <p>
        <State state={failure === null && verifiedAt !== null ? 'good' : 'warning'}>
          {stateOf(verification)}
        </State>
      </p>
      {failure !== null && <p>{failure}</p>}
      {lookedAt === null ? (
        <p className="quiet">{texts.notAsked}</p>
      ) : (
        <p className="quiet">
          {texts.asked} <Time at={lookedAt} />
          {nextLookAt !== null && (
            <>
              , {texts.next} <Time at={nextLookAt} />
            </>
          )}
        </p>
      )}
      {verifiedAt !== null && (
        <p className="quiet">
          {texts.since} <Time at={verifiedAt} />
        </p>
      )}
      {check.error && <Failure error={check.error} title={shared.refused} />}
      {isAllowed && (
        <Button loading={check.isPending} onClick={() => check.mutate()}>
          {texts.check}
        </Button>
      )}
    </section>
  )
}

function stateOf({ verifiedAt, failure }: Facts): string {
  if (verifiedAt === null) return texts.waiting
  return failure === null ? texts.verified : texts.lost
}
