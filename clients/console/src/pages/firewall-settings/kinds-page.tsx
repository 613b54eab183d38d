import { Loader, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { hasWords } from '../../words.ts'
import { type IndexedKind, kindsQuery } from './kinds.ts'
import { useManagement } from './management.ts'
import { KindLinks } from './object-page.tsx'
import { texts as all } from './texts.ts'

const texts = all.kinds

/** The others are a click further, where they are listed page by page. */
const linkedServicesMax = 12

/** The way to every setting of the firewall: the services, and every kind of objects. */
export function KindsPage() {
  const kinds = useQuery(kindsQuery)
  const [search, setSearch] = useState('')
  if (kinds.isError) return <Failure error={kinds.error} />
  if (!kinds.data) return <Loader aria-label={shared.loading} />
  const found = kinds.data.filter(
    ({ name, title, description, sections }) =>
      search === '' || hasWords([name, title, description, ...sections].join(' '), search),
  )
  const outermost = found.filter(({ parent }) => parent === undefined)
  const within = found.filter(({ parent }) => parent !== undefined)
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <p>{texts.introduction}</p>
      <ServiceLinks />
      <TextInput
        type="search"
        label={texts.search}
        placeholder={texts.searchExample}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        className="settings-search"
      />
      {found.length === 0 && <p role="status">{texts.none}</p>}
      {groups.map(([title, path]) => (
        <KindGroup
          key={title}
          title={title}
          kinds={outermost.filter((kind) => groups.find((group) => group[1].test(kind.path))?.[1] === path)}
        />
      ))}
      {search !== '' && <KindsWithin kinds={within} all={kinds.data} />}
      <SameCall palisade="palisade firewall kinds" path="/openapi/firewall.json" />
    </>
  )
}

function ServiceLinks() {
  const management = useManagement()
  const services = useQuery({
    queryKey: ['firewall', 'services', 'names'],
    queryFn: async () => (await management.list('services', { groups: 'Service' })).map(([name]) => name),
  })
  if (services.isError) return <Failure error={services.error} tryAgain={() => void services.refetch()} />
  if (!services.data) return <Loader aria-label={shared.loading} />
  return (
    <p className="services">
      {services.data.length === 0 ? texts.noService : texts.open}
      {services.data.slice(0, linkedServicesMax).map((service) => (
        <Link key={service} to="/firewall/services/$service/settings" params={{ service }} className="link">
          {service}
        </Link>
      ))}
      <Link to="/firewall/settings/$" params={{ _splat: 'services' }} className="link">
        {texts.allServices}
      </Link>
    </p>
  )
}

function KindGroup({ title, kinds }: { readonly title: string; readonly kinds: readonly IndexedKind[] }) {
  if (kinds.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="section-title">{title}</h2>
      <KindLinks kinds={kinds} />
    </section>
  )
}

/** Kinds whose objects lie in others: where each of them is found. */
function KindsWithin({
  kinds,
  all: every,
}: {
  readonly kinds: readonly IndexedKind[]
  readonly all: readonly IndexedKind[]
}) {
  if (kinds.length === 0) return null
  const titleOf = (parent: string | undefined) => every.find(({ name }) => name === parent)?.title
  return (
    <section aria-label={texts.groups.service}>
      <h2 className="section-title">{texts.groups.service}</h2>
      <ul className="kinds">
        {kinds.map(({ name, title, description, parent }) => (
          <li key={name}>
            {title}, {texts.inside} {titleOf(parent)}
            <div className="setting-help">{description}</div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The groups of kinds that lie inside nothing, each with the addresses that are of it; the first that fits counts. */
const groups = [
  [
    texts.groups.authentication,
    /^(ldap-|radius-|rsa-|kerberos-|saml-services|openidc-|local-|jwt-|session-identifiers|credential-)/,
  ],
  [texts.groups.certificates, /^certificates/],
  [
    texts.groups.system,
    /^(system|network-|vlans|bonds|virtual-|static-|interface-|source-nats|destination-nats|auto-system-acls|syslog-servers|cluster|control-center|backup|reports|users|administrator-roles|admin-ip-range|external-|samlsp-)/,
  ],
  // A service has its place at the top of the page.
  [texts.groups.traffic, /^(?!services$)/],
] as const
