import './settings.css'
import { Alert, Button, Loader, Table } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Command, SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type Management, type Members, membersOf, useManagement } from './management.ts'
import { texts as all } from './texts.ts'

const texts = all.rules

/** Which release of the Core Rule Set judges requests, and how each service uses it. */
export function RulesPage() {
  const management = useManagement()
  const isAllowed = mayChange(useSession(), 'firewall')
  const rules = useQuery({ queryKey: ['firewall', 'rules'], queryFn: () => readRules(management) })
  const check = useMutation({
    mutationFn: () => management.change('POST', 'energize-updates/check-for-update', { type: 'attackdef' }),
  })
  if (rules.isError) return <Failure error={rules.error} tryAgain={() => void rules.refetch()} />
  if (!rules.data) return <Loader aria-label={shared.loading} />
  const { release, services } = rules.data
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
      {services.length === 0 ? <p>{texts.noService}</p> : <ServiceTable services={services} />}
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

type ServiceOfRules = readonly [name: string, members: Members]

function ServiceTable({ services }: { readonly services: readonly ServiceOfRules[] }) {
  return (
    <ScrollTable
      label={texts.services}
      headings={[texts.service, texts.inspection, texts.mode, texts.policy, texts.exceptions]}
      minWidth={560}
      highlightOnHover
    >
      {services.map(([service, members]) => {
        const security = membersOf(members['Basic Security'])
        const advanced = membersOf(members['Advanced Configuration'])
        const exceptions = membersOf(membersOf(members['Rule Exception']).data)
        const policy = String(security['web-firewall-policy'] ?? '')
        return (
          <Table.Tr key={service}>
            <Table.Th scope="row">
              <Link to="/firewall/services/$service/settings" params={{ service }} className="link">
                {service}
              </Link>
            </Table.Th>
            <Table.Td>{String(advanced['enable-web-application-firewall'] ?? '')}</Table.Td>
            <Table.Td>{String(security.mode ?? '')}</Table.Td>
            <Table.Td>
              <Link
                to="/firewall/settings/$"
                params={{ _splat: `security-policies/${policy}` }}
                className="link"
              >
                {policy}
              </Link>
            </Table.Td>
            <Table.Td>
              <Link
                to="/firewall/settings/$"
                params={{ _splat: `services/${service}/rule-exceptions` }}
                className="link"
              >
                {Object.keys(exceptions).length} {texts.rulesLeftOut}
              </Link>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </ScrollTable>
  )
}

async function readRules(management: Management) {
  const [{ members }, services] = await Promise.all([
    management.read('system'),
    management.list('services', { groups: 'Service,Basic Security,Advanced Configuration,Rule Exception' }),
  ])
  return { release: String(members['attack-definition'] ?? ''), services }
}
