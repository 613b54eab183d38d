import './overview.css'
import { Button, Loader, Stack } from '@mantine/core'
import { type AdministrationClient, type AdministrationSchemas, answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Command, SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { sentenceText } from '../../format.ts'
import { mayReadAll, mayReadAttention } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { remedyPage } from './remedies.ts'
import { Services } from './services.tsx'
import { texts } from './texts.ts'

type Condition = Omit<AdministrationSchemas['schemas']['Attention'], 'managedBy'>

/** Conditions are looked at again after this time. */
const refreshMs = 10_000

/** What needs attention first, each with its remedy; then how the services are. Both as far as the operator may see them. */
export function OverviewPage() {
  const session = useSession()
  const seesAttention = mayReadAttention(session)
  const attention = useQuery({
    queryKey: ['attention'],
    queryFn: () => readAttention(session.administration),
    refetchInterval: refreshMs,
    enabled: seesAttention,
  })
  if (attention.isError) {
    return <Failure error={attention.error} tryAgain={() => void attention.refetch()} />
  }
  if (seesAttention && attention.isPending) return <Loader aria-label={shared.loading} />
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      {attention.data && <Conditions conditions={attention.data} isOfAll={mayReadAll(session)} />}
      {session.grants.length === 0 ? (
        <p>{texts.nothingGranted}</p>
      ) : (
        <>
          <h2 className="section-title">{texts.services}</h2>
          <Services conditions={attention.data} />
        </>
      )}
      {seesAttention && (
        <SameCall
          palisade={mayReadAll(session) ? 'palisade status' : 'palisade attention list'}
          path="/admin/v1/attention"
        />
      )}
    </>
  )
}

function Conditions({
  conditions,
  isOfAll,
}: {
  readonly conditions: readonly Condition[]
  /** Whether they are of all services. */
  readonly isOfAll: boolean
}) {
  if (conditions.length === 0) {
    return (
      <section className="card">
        <p>
          <State state="good">{texts.quiet}</State>
        </p>
        {isOfAll && <p className="quiet">{texts.quietLead}</p>}
      </section>
    )
  }
  return (
    <>
      <h2 className="section-title">{texts.attention}</h2>
      <Stack gap="sm">
        {bySeverity(conditions).map((condition) => (
          <ConditionCard key={condition.id} condition={condition} />
        ))}
      </Stack>
    </>
  )
}

const states = { critical: 'critical', warning: 'warning', info: 'idle' } as const

function ConditionCard({ condition }: { readonly condition: Condition }) {
  const { severity, service, subject, message, since, remedy } = condition
  const router = useRouter()
  const page = remedyPage(condition, (route) => route in router.routesByPath)
  return (
    <article className="card condition" data-severity={severity}>
      <div className="condition-head">
        <State state={states[severity]}>{texts[severity]}</State>
        <strong>{subject === '' ? service : `${service}: ${subject}`}</strong>
        <span className="quiet">
          {texts.since} <Time at={since} />
        </span>
      </div>
      <p>{sentenceText(message)}</p>
      {page !== undefined && (
        <p>
          <Button component={Link} to={page} size="xs" aria-label={`${texts.mend}: ${subject || service}`}>
            {texts.mend}
          </Button>
        </p>
      )}
      <details open={page === undefined}>
        <summary>{texts.remedy}</summary>
        <Command line={remedy} />
      </details>
    </article>
  )
}

/** What needs attention, as far as the operator may see it. */
async function readAttention(administration: AdministrationClient) {
  return (await answer(administration.GET('/attention', { params: { query: { limit: 100 } } }))).items
}

const ranks = { critical: 0, warning: 1, info: 2 } as const

function bySeverity(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted(
    (one, other) => ranks[one.severity] - ranks[other.severity] || one.since.localeCompare(other.since),
  )
}
