import './settings.css'
import { Alert, Button, Loader } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Command, SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { Listing } from '../../components/listing.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type Members, membersOf, useManagement } from './management.ts'
import { texts as all } from './texts.ts'

const texts = all.rules

const pageSize = 100

/** Which release of the Core Rule Set judges requests, and how each service uses it. */
export function RulesPage() {
  const management = useManagement()
  const isAllowed = mayChange(useSession(), 'firewall')
  const system = useQuery({ queryKey: ['firewall', 'system'], queryFn: () => management.read('system') })
  const check = useMutation({
    mutationFn: () => management.change('POST', 'energize-updates/check-for-update', { type: 'attackdef' }),
  })
  if (system.isError) return <Failure error={system.error} tryAgain={() => void system.refetch()} />
  if (!system.data) return <Loader aria-label={shared.loading} />
  const release = String(system.data.members['attack-definition'] ?? '')
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <p>{texts.introduction}</p>
      <dl className="facts">
        <dt>{texts.release}</dt>
        <dd>{release || texts.none}</dd>
      </dl>
      <p>{texts.install}</p>
      <Command line="palisade rules install coreruleset-4.20.0.tar.gz" />
      <h2 className="section-title">{texts.services}</h2>
      <ServiceRules />
      <h2 className="section-title">{texts.definitions}</h2>
      <p>{texts.definitionsWhy}</p>
      {isAllowed && (
        <Button variant="default" mb="md" loading={check.isPending} onClick={() => check.mutate()}>
          {texts.check}
        </Button>
      )}
      {check.data && <Alert color="blue" role="status" title={check.data.msg} mb="md" />}
      {check.error && <Failure error={check.error} title={shared.refused} />}
      <SameCall palisade="palisade firewall rules status" path="/firewall/restapi/v3.2/system" />
    </>
  )
}

/** How each service uses the rules, a page at a time. */
function ServiceRules() {
  const management = useManagement()
  const read = async (after = '0') => {
    const items = await management.list('services', {
      groups: 'Service,Basic Security,Advanced Configuration,Rule Exception',
      limit: String(pageSize),
      offset: after,
    })
    return { items, next: items.length < pageSize ? null : String(Number(after) + pageSize) }
  }
  return (
    <Listing
      title={texts.services}
      empty={texts.noService}
      name={['firewall', 'rules', 'services']}
      read={read}
      idOf={([service]) => service}
      columns={[
        [
          texts.service,
          ([service]) => (
            <Link to="/firewall/services/$service/settings" params={{ service }} className="link">
              {service}
            </Link>
          ),
        ],
        [texts.inspection, ([, members]) => memberOf(members, 'Advanced Configuration', inspection)],
        [texts.mode, ([, members]) => memberOf(members, 'Basic Security', 'mode')],
        [texts.policy, ([, members]) => <PolicyLink members={members} />],
        [texts.exceptions, ([service, members]) => <ExceptionsLink service={service} members={members} />],
      ]}
    />
  )
}

const inspection = 'enable-web-application-firewall'

function memberOf(members: Members, group: string, name: string): string {
  return String(membersOf(members[group])[name] ?? '')
}

function PolicyLink({ members }: { readonly members: Members }) {
  const policy = memberOf(members, 'Basic Security', 'web-firewall-policy')
  return (
    <Link to="/firewall/settings/$" params={{ _splat: `security-policies/${policy}` }} className="link">
      {policy}
    </Link>
  )
}

function ExceptionsLink({ service, members }: { readonly service: string; readonly members: Members }) {
  const exceptions = membersOf(membersOf(members['Rule Exception']).data)
  return (
    <Link
      to="/firewall/settings/$"
      params={{ _splat: `services/${service}/rule-exceptions` }}
      className="link"
    >
      {Object.keys(exceptions).length} {texts.rulesLeftOut}
    </Link>
  )
}
